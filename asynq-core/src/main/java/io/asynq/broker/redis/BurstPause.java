package io.asynq.broker.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Lets messages gather that come in quick succession, so that their reader is not woken
 * for each: while a queue is being worked off, every dequeue is told as well. The first
 * messages are never held up. Used by one thread.
 */
final class BurstPause {

	private static final int MESSAGES = 4;

	private static final long WINDOW = Duration.ofMillis(1).toNanos();

	/** What has gathered must be read before the next pause. */
	private static final long BETWEEN_PAUSES = Duration.ofNanos(200_000).toNanos();

	private static final long PAUSE = Duration.ofMillis(1).toNanos();

	private final LongSupplier nanoTime;

	private final Runnable pause;

	private long windowStart;

	private int messages;

	BurstPause() {
		this(System::nanoTime, () -> LockSupport.parkNanos(PAUSE));
	}

	BurstPause(LongSupplier nanoTime, Runnable pause) {
		this.nanoTime = nanoTime;
		this.pause = pause;
		this.windowStart = nanoTime.getAsLong();
	}

	/**
	 * Says that a message was dealt with, and pauses if it is one of many.
	 */
	void afterMessage() {
		long now = this.nanoTime.getAsLong();
		long age = now - this.windowStart;
		this.messages++;
		if (age > WINDOW) {
			this.windowStart = now;
			this.messages = 1;
		}
		else if (this.messages >= MESSAGES && age >= BETWEEN_PAUSES) {
			this.pause.run();
			this.windowStart = this.nanoTime.getAsLong();
			this.messages = 0;
		}
	}

}
