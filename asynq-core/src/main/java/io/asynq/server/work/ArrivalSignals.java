package io.asynq.server.work;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.AsynqException;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.Waker;
import io.asynq.server.fetch.QueueReadiness;
import org.jspecify.annotations.Nullable;

/**
 * Arrivals in queues, as the arrival watch hears of them and the loops act on them:
 * whether arrivals are being announced, so that the loops need not poll, and in which
 * queues. Safe for concurrent use.
 */
public final class ArrivalSignals {

	private final Collection<String> queues;

	private final QueueReadiness readiness;

	private final Waker processor;

	private final Waker forwarder;

	private final LoopErrorLog errors;

	/**
	 * Queues in which a task was scheduled or set to retry since the last look.
	 */
	private final Set<String> delayed = ConcurrentHashMap.newKeySet();

	private volatile boolean missed;

	private volatile @Nullable ArrivalSubscription live;

	private boolean open;

	public ArrivalSignals(Collection<String> queues, QueueReadiness readiness, Waker processor, Waker forwarder,
			LoopErrorLog errors) {
		this.queues = queues;
		this.readiness = readiness;
		this.processor = processor;
		this.forwarder = forwarder;
		this.errors = errors;
	}

	/**
	 * Called when a task may be pending in a queue.
	 */
	public void onPending(String queue) {
		if (this.readiness.mark(queue)) {
			this.processor.wake();
		}
	}

	/**
	 * Called when a task was scheduled in a queue or set to retry.
	 */
	public void onDelayed(String queue) {
		if (this.delayed.add(queue)) {
			this.forwarder.wake();
		}
	}

	/**
	 * Called when arrivals may have been missed in any queue, or are no longer announced.
	 */
	public void onMissed() {
		this.missed = true;
		this.processor.wake();
		this.delayed.addAll(this.queues);
		this.forwarder.wake();
	}

	/**
	 * Returns whether pending tasks may have been missed since the last call.
	 */
	boolean takeMissed() {
		boolean present = this.missed;
		if (present) {
			this.missed = false;
		}
		return present;
	}

	/**
	 * Returns whether a task was scheduled in a queue since it was last watched.
	 */
	public boolean isDelayed(String queue) {
		return this.delayed.contains(queue);
	}

	/**
	 * Forgets what was scheduled: a forwarder that starts looks at all queues.
	 */
	public void forgetDelayed() {
		this.delayed.clear();
	}

	public boolean isLive() {
		return this.live != null;
	}

	/**
	 * Accepts subscriptions from now on.
	 */
	public synchronized void open() {
		this.open = true;
	}

	/**
	 * Accepts no more subscriptions. Errors of a watch in progress are then ignored.
	 */
	public synchronized void close() {
		this.open = false;
		this.live = null;
	}

	/**
	 * Sets the subscription that announces arrivals; ignored when closed.
	 */
	public synchronized void setLive(ArrivalSubscription subscription) {
		if (this.open) {
			this.live = subscription;
		}
	}

	/**
	 * Removes a subscription that no longer announces arrivals. Another one stays: its
	 * loop may have been abandoned and started again.
	 */
	public synchronized void lost(ArrivalSubscription subscription) {
		if (this.live == subscription) {
			this.live = null;
		}
	}

	/**
	 * Watches queues that were empty, and marks those that are no longer.
	 * @return whether one is no longer empty
	 */
	boolean watchPending() {
		Collection<String> ready = watchPending(this.readiness.takeUnwatched());
		ready.forEach(this.readiness::mark);
		return !ready.isEmpty();
	}

	/**
	 * Watches queues for their next arrival.
	 * @return those that have a task already; all of them if arrivals cannot be announced
	 * after all
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
	 * Watches queues for the next change of their scheduled and retry tasks. Call it
	 * before looking at them, so that no change is missed in between.
	 */
	public void watchDelayed(Collection<String> queues) {
		this.delayed.removeAll(queues);
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
	 * Closes a subscription whose reading connection is broken; its listener opens
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
