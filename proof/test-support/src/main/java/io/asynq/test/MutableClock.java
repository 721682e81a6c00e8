package io.asynq.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Stands still until it is advanced; safe for concurrent use.
 */
public final class MutableClock extends Clock {

	private volatile Instant now;

	public MutableClock(Instant now) {
		this.now = now;
	}

	/**
	 * Starts in the future, so that Redis's own time differs, and at a fraction of a
	 * second, so that missing cuts to whole seconds are noticed.
	 */
	public static MutableClock create() {
		return new MutableClock(Instant.parse("2096-03-04T23:59:50.123456789Z"));
	}

	@Override
	public Instant instant() {
		return this.now;
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException();
	}

	public synchronized void advance(Duration by) {
		this.now = this.now.plus(by);
	}

	public synchronized void set(Instant now) {
		this.now = now;
	}

}
