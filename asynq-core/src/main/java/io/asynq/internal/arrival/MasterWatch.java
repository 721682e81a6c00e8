package io.asynq.internal.arrival;

import java.time.Duration;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.SubscriptionLoop;
import io.asynq.internal.redis.LoginRefusedException;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.ArrivalSignals;
import io.asynq.internal.worker.ArrivalSubscription;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Listens to the arrivals that one Redis announces: the only one, or one master of a
 * cluster.
 */
final class MasterWatch {

	private static final Logger logger = OneLineLogger.of(MasterWatch.class);

	static final Duration TRY_AGAIN = Duration.ofMinutes(1);

	private static final Duration AFTER_GIVING_UP = Duration.ofMillis(200);

	private static final Duration AFTER_ERROR = Duration.ofMillis(500);

	private final ArrivalSource source;

	private final String lane;

	private final ArrivalSignals signals;

	private final ServerOptions options;

	private final Lanes lanes;

	private boolean told;

	MasterWatch(ArrivalSource source, String lane, ArrivalSignals signals, ServerOptions options, Lanes lanes) {
		this.source = source;
		this.lane = lane;
		this.signals = signals;
		this.options = options;
		this.lanes = lanes;
	}

	Duration listen(SubscriptionLoop subscriptions, Runnable heard, Runnable moved) {
		Arrivals arrivals = new Arrivals(heard, moved);
		ArrivalSubscription subscription = this.source.subscribe(this.options.queues().weights().keySet(), arrivals);
		arrivals.subscription = subscription;
		try {
			subscriptions.listen(subscription);
			// Closed because its reading connection broke, unless the server is stopping
			return AFTER_GIVING_UP;
		}
		catch (LoginRefusedException ex) {
			throw ex;
		}
		catch (BrokerUnavailableException ex) {
			return onUnavailable(ex, arrivals.ready);
		}
		catch (BrokerException ex) {
			logOnce(ex.getMessage());
			return TRY_AGAIN;
		}
		finally {
			this.signals.lost(this.lane, subscription);
			this.signals.onMissed(this.signals.queuesOf(this.lane));
		}
	}

	/** On a cluster all who ask a master that is away say so together, once. */
	private Duration onUnavailable(BrokerUnavailableException error, boolean wasReady) {
		if (this.lane.equals(Lanes.UNKNOWN)) {
			throw error;
		}
		if (wasReady) {
			logger.debug("{}: {}", this.lane, error.getMessage(), error);
			return AFTER_GIVING_UP;
		}
		this.lanes.failed(this.lane, error);
		return AFTER_ERROR;
	}

	private void logOnce(@Nullable String why) {
		if (this.told) {
			return;
		}
		this.told = true;
		if (this.lane.equals(Lanes.UNKNOWN)) {
			logger.info("Redis does not report new tasks ({}), so queues are polled every {}", why,
					this.options.taskCheckInterval());
		}
		else {
			logger.info("Redis node {} does not report new tasks ({}), so its queues {} are polled every {}", this.lane,
					why, this.signals.queuesOf(this.lane), this.options.taskCheckInterval());
		}
	}

	private final class Arrivals implements ArrivalListener {

		private final Runnable heard;

		private final Runnable moved;

		private volatile @Nullable ArrivalSubscription subscription;

		private volatile boolean ready;

		Arrivals(Runnable heard, Runnable moved) {
			this.heard = heard;
			this.moved = moved;
		}

		@Override
		public void onReady() {
			this.ready = true;
			ArrivalSubscription present = this.subscription;
			if (present != null) {
				MasterWatch.this.signals.setLive(MasterWatch.this.lane, present);
			}
			this.heard.run();
			MasterWatch.this.lanes.answered(MasterWatch.this.lane);
			MasterWatch.this.signals.onNewMaster(MasterWatch.this.signals.queuesOf(MasterWatch.this.lane));
		}

		@Override
		public void onPending(String queue) {
			MasterWatch.this.signals.onPending(queue);
		}

		@Override
		public void onDelayed(String queue) {
			MasterWatch.this.signals.onDelayed(queue);
		}

		@Override
		public void onMoved(String queue, @Nullable String master) {
			if (MasterWatch.this.signals.onMoved(queue, master)) {
				this.moved.run();
			}
		}

	}

}
