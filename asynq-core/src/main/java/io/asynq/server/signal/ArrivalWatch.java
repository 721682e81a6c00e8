package io.asynq.server.signal;

import java.time.Duration;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.ArrivalListener;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.broker.Signals;
import io.asynq.broker.check.LoginRefusedException;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import io.asynq.server.ServerOptions;
import io.asynq.server.work.ArrivalSignals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Notifies processor and forwarder of arrivals, no matter which process has sent them.
 * Where Redis or the connection does not support this, they poll.
 */
public final class ArrivalWatch extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(ArrivalWatch.class);

	private static final Duration TRY_AGAIN = Duration.ofMinutes(1);

	private static final Duration AFTER_GIVING_UP = Duration.ofSeconds(1);

	private final Signals source;

	private final ArrivalSignals signals;

	private final ServerOptions options;

	private final SubscriptionLoop subscriptions = new SubscriptionLoop();

	private boolean told;

	public ArrivalWatch(Signals source, ArrivalSignals signals, ServerOptions options, Loops loops) {
		super(ServerPhase.ARRIVAL_WATCH, loops);
		expectEndlessRuns();
		this.source = source;
		this.signals = signals;
		this.options = options;
	}

	@Override
	protected void starting() {
		this.signals.open();
		this.subscriptions.open();
	}

	@Override
	protected Duration runOnce() {
		if (!this.options.wakeUp()) {
			return TRY_AGAIN;
		}
		Arrivals heard = new Arrivals();
		ArrivalSubscription subscription = this.source.subscribeToArrivals(this.options.queues().weights().keySet(),
				heard);
		heard.subscription = subscription;
		try {
			this.subscriptions.listen(subscription);
			// Closed because its reading connection broke, unless the server is stopping
			return AFTER_GIVING_UP;
		}
		catch (BrokerUnavailableException | LoginRefusedException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			logOnce(ex.getMessage());
			return TRY_AGAIN;
		}
		finally {
			this.signals.lost(subscription);
			this.signals.onMissed();
		}
	}

	@Override
	protected void stopping() {
		this.signals.close();
		runAtStop(this.subscriptions::close);
	}

	private void logOnce(String why) {
		if (!this.told) {
			this.told = true;
			logger.info("Queues are polled every {}: {}", this.options.taskCheckInterval(), why);
		}
	}

	/**
	 * Receives the messages of one subscription.
	 */
	private final class Arrivals implements ArrivalListener {

		/** Set before the subscription is listened to. */
		private volatile @Nullable ArrivalSubscription subscription;

		@Override
		public void onReady() {
			ArrivalSubscription ready = this.subscription;
			if (ready != null) {
				ArrivalWatch.this.signals.setLive(ready);
			}
			ArrivalWatch.this.works();
			ArrivalWatch.this.signals.onMissed();
		}

		@Override
		public void onPending(String queue) {
			ArrivalWatch.this.signals.onPending(queue);
		}

		@Override
		public void onDelayed(String queue) {
			ArrivalWatch.this.signals.onDelayed(queue);
		}

	}

}
