package io.asynq.server;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many handlers run at once, whatever runs them. A slot is taken until the
 * handler's thread has really ended, so one that ignores its deadline still counts. Free
 * slots are offered only when every task that was taken has got a thread: meanwhile more
 * slots become free, so short tasks are fetched many at a time, and long ones one by one
 * without delay. Safe for concurrent use; one thread takes.
 */
final class Slots {

	private final AtomicInteger free;

	private final AtomicInteger starting = new AtomicInteger();

	private final Runnable onFree;

	private volatile boolean awaited;

	/**
	 * Creates the slots.
	 * @param size how many
	 * @param onFree called when there is something to offer after {@link #freeOrAwait()}
	 * found nothing
	 */
	Slots(int size, Runnable onFree) {
		this.free = new AtomicInteger(size);
		this.onFree = onFree;
	}

	/**
	 * Counts the free slots, and asks to be told of the next one if there is none to
	 * offer.
	 * @return how many are offered
	 */
	int freeOrAwait() {
		int count = offered();
		if (count == 0) {
			this.awaited = true;
			count = offered();
		}
		return count;
	}

	/**
	 * Takes a slot for a task that waits for its thread.
	 */
	void take() {
		this.free.decrementAndGet();
		this.starting.incrementAndGet();
	}

	/**
	 * Says that a task has got its thread, or never will.
	 */
	void started() {
		if (this.starting.decrementAndGet() == 0) {
			tell();
		}
	}

	/**
	 * Gives a slot back.
	 */
	void release() {
		this.free.incrementAndGet();
		tell();
	}

	private int offered() {
		return (this.starting.get() == 0) ? this.free.get() : 0;
	}

	private void tell() {
		if (this.awaited && offered() > 0) {
			this.awaited = false;
			this.onFree.run();
		}
	}

}
