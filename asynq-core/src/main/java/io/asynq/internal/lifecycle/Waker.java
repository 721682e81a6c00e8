package io.asynq.internal.lifecycle;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The loop and whoever has work for it share one, so that neither needs to know the
 * other.
 */
public final class Waker {

	/** Guards everything that a pause depends on. */
	final ReentrantLock lock = new ReentrantLock();

	final Condition changed = this.lock.newCondition();

	boolean woken;

	/** During a run the next pause is skipped; one after an error is not shortened. */
	public void wake() {
		this.lock.lock();
		try {
			this.woken = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
