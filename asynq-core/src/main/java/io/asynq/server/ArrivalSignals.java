package io.asynq.server;

import java.util.Collection;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.lifecycle.LoopErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Whether arrivals can be told, so that the loops need not look for them, and of which
 * queues. Safe for concurrent use.
 */
final class ArrivalSignals {

	private final LoopErrorLog errors;

	private volatile @Nullable ArrivalSubscription live;

	ArrivalSignals(LoopErrorLog errors) {
		this.errors = errors;
	}

	boolean isLive() {
		return this.live != null;
	}

	/**
	 * Says through what arrivals are told.
	 * @param subscription a subscription that listens, {@code null} for none
	 */
	void setLive(@Nullable ArrivalSubscription subscription) {
		this.live = subscription;
	}

	/**
	 * Has the next arrival in queues told.
	 * @param queues the queues
	 * @return those that have something at this moment; all of them, if arrivals cannot
	 * be told after all
	 */
	Collection<String> watchPending(Collection<String> queues) {
		ArrivalSubscription present = this.live;
		if (present == null || queues.isEmpty()) {
			return Set.of();
		}
		try {
			return present.watchPending(queues);
		}
		catch (AsynqException ex) {
			giveUp(present, ex);
			return queues;
		}
	}

	/**
	 * Has the next change of a queue's scheduled and retry tasks told.
	 * @param queue the queue
	 */
	void watchDelayed(String queue) {
		ArrivalSubscription present = this.live;
		if (present != null) {
			try {
				present.watchDelayed(queue);
			}
			catch (AsynqException ex) {
				giveUp(present, ex);
			}
		}
	}

	/**
	 * Ends a subscription whose reading connection is broken: whoever listens opens
	 * another.
	 */
	private void giveUp(ArrivalSubscription broken, AsynqException why) {
		this.errors.warn("asynq-arrival-watch", why);
		this.live = null;
		broken.close();
	}

}
