package io.asynq.internal.worker;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A slot is taken until the handler's thread has really ended; free slots are offered
 * only when every task that was taken has a thread, so that short tasks are fetched many
 * at a time, and long ones one by one without delay.
 */
public final class Slots {

	private final int size;

	private final AtomicInteger free;

	private final AtomicInteger starting = new AtomicInteger();

	private final Runnable onOffer;

	private volatile boolean awaited;

	/**
	 * @param onOffer called once after {@link #awaitOffer()} found no slot
	 */
	public Slots(int size, Runnable onOffer) {
		this.size = size;
		this.free = new AtomicInteger(size);
		this.onOffer = onOffer;
	}

	int offered() {
		return (this.starting.get() == 0) ? this.free.get() : 0;
	}

	boolean anyTaken() {
		return this.free.get() < this.size;
	}

	/** Returns whether some slots can be offered already, so that no call will come. */
	boolean awaitOffer() {
		if (offered() == 0) {
			this.awaited = true;
		}
		return offered() > 0;
	}

	boolean take() {
		this.starting.incrementAndGet();
		if (this.free.getAndUpdate((free) -> Math.max(0, free - 1)) > 0) {
			return true;
		}
		started();
		return false;
	}

	/** The slot stays taken, for another task that waits for its thread. */
	void passOn() {
		this.starting.incrementAndGet();
	}

	/** The task has its thread, or never will. */
	void started() {
		if (this.starting.decrementAndGet() == 0) {
			tell();
		}
	}

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
