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

	private boolean open;

	ArrivalSignals(LoopErrorLog errors) {
		this.errors = errors;
	}

	boolean isLive() {
		return this.live != null;
	}

	/**
	 * Lets arrivals be told from now on.
	 */
	synchronized void open() {
		this.open = true;
	}

	/**
	 * Ends the telling of arrivals. What a watch in progress runs into then is nobody's
	 * news.
	 */
	synchronized void close() {
		this.open = false;
		this.live = null;
	}

	/**
	 * Says through what arrivals are told; without effect when closed.
	 * @param subscription a subscription that listens
	 */
	synchronized void setLive(ArrivalSubscription subscription) {
		if (this.open) {
			this.live = subscription;
		}
	}

	/**
	 * Says that a subscription tells no more arrivals; another one that listens
	 * meanwhile, because a loop was left behind and started again, stays.
	 * @param subscription the subscription
	 */
	synchronized void lost(ArrivalSubscription subscription) {
		if (this.live == subscription) {
			this.live = null;
		}
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
	 * Has the next change of queues' scheduled and retry tasks told.
	 * @param queues the queues
	 */
	void watchDelayed(Collection<String> queues) {
		ArrivalSubscription present = this.live;
		if (present != null && !queues.isEmpty()) {
			try {
				present.watchDelayed(queues);
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
		synchronized (this) {
			if (this.live != broken) {
				return;
			}
			this.live = null;
		}
		this.errors.warn("asynq-arrival-watch", why);
		broken.close();
	}

}
