package io.asynq.server.state;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When the server's entry was last written. Safe for concurrent use.
 */
public final class Heartbeat {

	private final LongSupplier nanoTime;

	private volatile long lastNanos;

	Heartbeat(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.lastNanos = nanoTime.getAsLong();
	}

	/** Begins to count: the first entry is about to be written. */
	public void start() {
		this.lastNanos = this.nanoTime.getAsLong();
	}

	/** Notes that the entry is in Redis. */
	public void written() {
		this.lastNanos = this.nanoTime.getAsLong();
	}

	/**
	 * Returns the time since the entry was last written, or since the start if it was
	 * not.
	 */
	public Duration age() {
		return Duration.ofNanos(this.nanoTime.getAsLong() - this.lastNanos);
	}

}
