package io.asynq.server.signal;

import java.time.Duration;

import io.asynq.broker.Signals;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.server.work.Cancellations;

/**
 * Cancels tasks of this server on request.
 */
public final class Subscriber extends PeriodicComponent {

	private final Signals source;

	private final Cancellations cancellations;

	private final SubscriptionLoop subscriptions = new SubscriptionLoop();

	public Subscriber(Signals source, Cancellations cancellations, Loops loops) {
		super(ServerPhase.SUBSCRIBER, loops);
		expectEndlessRuns();
		this.source = source;
		this.cancellations = cancellations;
	}

	@Override
	protected void starting() {
		this.subscriptions.open();
	}

	@Override
	protected Duration runOnce() {
		this.subscriptions.listen(this.source.subscribeToCancellations(this::works, this.cancellations::cancel));
		return Duration.ZERO;
	}

	@Override
	protected void stopping() {
		runAtStopForOutcomes(this.subscriptions::close);
	}

}
