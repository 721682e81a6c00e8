package io.asynq.server;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many handlers run at once, whatever runs them. A slot is taken until the
 * handler's thread has really ended, so one that ignores its deadline still counts. Safe
 * for concurrent use; one thread takes.
 */
final class Slots {

	private final AtomicInteger free;

	private final Runnable onFree;

	private volatile boolean awaited;

	/**
	 * Creates the slots.
	 * @param size how many
	 * @param onFree called when one becomes free after {@link #freeOrAwait()} found none
	 */
	Slots(int size, Runnable onFree) {
		this.free = new AtomicInteger(size);
		this.onFree = onFree;
	}

	/**
	 * Counts the free slots, and asks to be told of the next one if there is none.
	 * @return how many are free
	 */
	int freeOrAwait() {
		int count = this.free.get();
		if (count == 0) {
			this.awaited = true;
			count = this.free.get();
		}
		return count;
	}

	void take() {
		this.free.decrementAndGet();
	}

	void release() {
		this.free.incrementAndGet();
		if (this.awaited) {
			this.awaited = false;
			this.onFree.run();
		}
	}

}
