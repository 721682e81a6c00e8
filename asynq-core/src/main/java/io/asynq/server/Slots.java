package io.asynq.server;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many handlers run at once, whatever runs them. A slot is taken until the
 * handler's thread has really ended, so one that ignores its deadline still counts. Free
 * slots are offered only when every task that was taken has got a thread: meanwhile more
 * slots become free, so short tasks are fetched many at a time, and long ones one by one
 * without delay. Safe for concurrent use; one thread at a time takes.
 */
final class Slots {

	private final int size;

	private final AtomicInteger free;

	private final AtomicInteger starting = new AtomicInteger();

	private final Runnable onOffer;

	private final Runnable onRelease;

	private volatile boolean awaited;

	/**
	 * Creates the slots.
	 * @param size how many
	 * @param onOffer called when there is something to offer after {@link #awaitOffer()}
	 * found nothing
	 */
	Slots(int size, Runnable onOffer) {
		this(size, onOffer, () -> {
		});
	}

	/**
	 * Creates the slots.
	 * @param size how many
	 * @param onOffer called when there is something to offer after {@link #awaitOffer()}
	 * found nothing
	 * @param onRelease called when a slot was given back, by whoever did it
	 */
	Slots(int size, Runnable onOffer, Runnable onRelease) {
		this.size = size;
		this.onRelease = onRelease;
		this.free = new AtomicInteger(size);
		this.onOffer = onOffer;
	}

	/**
	 * Counts the slots that are offered.
	 * @return how many
	 */
	int offered() {
		return (this.starting.get() == 0) ? this.free.get() : 0;
	}

	/**
	 * Returns whether some are taken.
	 * @return whether more may become free
	 */
	boolean anyTaken() {
		return this.free.get() < this.size;
	}

	/**
	 * Asks to be told once when there is something to offer, unless there is already.
	 * @return whether there is
	 */
	boolean awaitOffer() {
		if (offered() == 0) {
			this.awaited = true;
		}
		return offered() > 0;
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
		this.onRelease.run();
	}

	private void tell() {
		if (this.awaited && offered() > 0) {
			this.awaited = false;
			this.onOffer.run();
		}
	}

}
