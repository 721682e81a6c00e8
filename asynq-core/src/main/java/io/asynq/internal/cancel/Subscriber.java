package io.asynq.internal.cancel;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.ListeningComponent;
import io.asynq.internal.lane.SubscriptionLoop;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.redis.LoginRefusedException;

/**
 * Cancels tasks of this server on request; on a cluster the master of a task's queue has
 * the request, whichever other one hangs.
 */
public final class Subscriber extends ListeningComponent {

	private static final Duration AFTER_ERROR = Duration.ofMillis(500);

	private final CancelChannel channel;

	private final Cancellations cancellations;

	private final Lanes lanes;

	public Subscriber(CancelChannel channel, Cancellations cancellations, Collection<String> queues, Lanes lanes,
			Loops loops) {
		super(ServerPhase.SUBSCRIBER, "asynq-subscriber-", queues, lanes, loops);
		this.channel = channel;
		this.cancellations = cancellations;
		this.lanes = lanes;
	}

	@Override
	protected boolean areSpread() {
		return this.channel.areSpread();
	}

	@Override
	protected Duration listen(SubscriptionLoop subscriptions) {
		subscriptions
			.listen(this.channel.subscribe(this::works, (id) -> this.cancellations.cancel(id, (queue) -> true)));
		return Duration.ZERO;
	}

	@Override
	protected PeriodicRunner.Job at(String master, SubscriptionLoop subscriptions) {
		return () -> listenTo(master, subscriptions);
	}

	@Override
	protected void stopping() {
		runAtStopForOutcomes(this::endAll);
	}

	/**
	 * Other masters pass the same messages on: the one that has hung does so late, when
	 * tasks of other queues may be retried already.
	 */
	private Duration listenTo(String master, SubscriptionLoop subscriptions) {
		AtomicBoolean ready = new AtomicBoolean();
		try {
			subscriptions.listen(this.channel.at(master).subscribe(() -> {
				ready.set(true);
				this.lanes.answered(master);
			}, (id) -> this.cancellations.cancel(id, (queue) -> isOf(queue, master))));
		}
		catch (LoginRefusedException ex) {
			throw ex;
		}
		catch (BrokerUnavailableException ex) {
			// Else only this connection was lost
			if (!ready.get()) {
				this.lanes.failed(master, ex);
			}
		}
		return AFTER_ERROR;
	}

	private boolean isOf(String queue, String master) {
		String lane = this.lanes.of(queue);
		return lane.equals(master) || lane.equals(Lanes.UNKNOWN);
	}

}
