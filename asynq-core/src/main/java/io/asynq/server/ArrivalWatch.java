package io.asynq.server;

import java.time.Duration;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.ArrivalListener;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Wakes processor and forwarder when something arrives, whoever sent it. Where Redis or
 * the connection cannot tell, they look by themselves at their intervals.
 */
final class ArrivalWatch extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(ArrivalWatch.class);

	private static final Duration TRY_AGAIN = Duration.ofMinutes(1);

	private static final Duration AFTER_GIVING_UP = Duration.ofSeconds(1);

	private final ServerRuntime runtime;

	private final ArrivalSignals signals;

	private final Processor processor;

	private final Forwarder forwarder;

	private final SubscriptionLoop subscriptions = new SubscriptionLoop();

	private boolean told;

	ArrivalWatch(ServerRuntime runtime, ArrivalSignals signals, Processor processor, Forwarder forwarder) {
		super(ServerPhase.ARRIVAL_WATCH, runtime.loops());
		this.runtime = runtime;
		this.signals = signals;
		this.processor = processor;
		this.forwarder = forwarder;
	}

	@Override
	protected void starting() {
		this.signals.open();
		this.subscriptions.open();
	}

	@Override
	protected Duration runOnce() {
		if (!this.runtime.options().wakeUp()) {
			return TRY_AGAIN;
		}
		Arrivals arrivals = new Arrivals();
		ArrivalSubscription subscription = this.runtime.broker()
			.arrivals()
			.subscribe(this.runtime.options().queues().weights().keySet(), arrivals);
		arrivals.subscription = subscription;
		try {
			this.subscriptions.listen(subscription);
			// Given up because its reading connection broke, unless this stops
			return AFTER_GIVING_UP;
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			tellOnce(ex.getMessage());
			return TRY_AGAIN;
		}
		finally {
			this.signals.lost(subscription);
			checkAll();
		}
	}

	@Override
	protected void stopping() {
		this.signals.close();
		lastWords(this.subscriptions::close);
	}

	private void checkAll() {
		this.processor.checkAll();
		this.forwarder.checkAll();
	}

	private void tellOnce(String why) {
		if (!this.told) {
			this.told = true;
			logger.info("Queues are polled every {}: {}", this.runtime.options().taskCheckInterval(), why);
		}
	}

	/**
	 * What one subscription tells.
	 */
	private final class Arrivals implements ArrivalListener {

		/** There before it is listened to. */
		private volatile @Nullable ArrivalSubscription subscription;

		@Override
		public void onReady() {
			ArrivalSubscription ready = this.subscription;
			if (ready != null) {
				ArrivalWatch.this.signals.setLive(ready);
			}
			checkAll();
		}

		@Override
		public void onPending(String queue) {
			ArrivalWatch.this.processor.arrived(queue);
		}

		@Override
		public void onDelayed(String queue) {
			ArrivalWatch.this.forwarder.arrived(queue);
		}

	}

}
