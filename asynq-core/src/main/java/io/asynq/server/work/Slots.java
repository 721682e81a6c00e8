package io.asynq.server.work;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits how many handlers run at once. A slot is taken until the handler's thread has
 * really ended, so a handler that ignores its deadline still counts. Free slots are
 * offered only when every task that was taken has a thread: meanwhile more slots become
 * free, so that short tasks are fetched many at a time, and long ones one by one without
 * delay. Safe for concurrent use.
 */
public final class Slots {

	private final int size;

	private final AtomicInteger free;

	private final AtomicInteger starting = new AtomicInteger();

	private final Runnable onOffer;

	private volatile boolean awaited;

	/**
	 * @param onOffer called once when slots can be offered after {@link #awaitOffer()}
	 * found none
	 */
	public Slots(int size, Runnable onOffer) {
		this.size = size;
		this.free = new AtomicInteger(size);
		this.onOffer = onOffer;
	}

	/**
	 * Returns how many free slots are offered.
	 */
	int offered() {
		return (this.starting.get() == 0) ? this.free.get() : 0;
	}

	/**
	 * Returns whether any slot is taken, so that it may become free.
	 */
	boolean anyTaken() {
		return this.free.get() < this.size;
	}

	/**
	 * Requests a call when slots can be offered, unless some can be already.
	 * @return whether some can be already
	 */
	boolean awaitOffer() {
		if (offered() == 0) {
			this.awaited = true;
		}
		return offered() > 0;
	}

	/**
	 * Takes a slot for a task that waits for its thread.
	 * @return {@code false} if none is free
	 */
	boolean take() {
		this.starting.incrementAndGet();
		if (this.free.getAndUpdate((free) -> Math.max(0, free - 1)) > 0) {
			return true;
		}
		started();
		return false;
	}

	/**
	 * Passes a slot on, which stays taken, to another task that waits for its thread.
	 */
	void passOn() {
		this.starting.incrementAndGet();
	}

	/**
	 * Called when a task has its thread, or never will.
	 */
	void started() {
		if (this.starting.decrementAndGet() == 0) {
			tell();
		}
	}

	/**
	 * Frees a slot.
	 */
	void release() {
		this.free.incrementAndGet();
		tell();
	}

	private void tell() {
		if (this.awaited && offered() > 0) {
			this.awaited = false;
			this.onOffer.run();
		}
	}

}
