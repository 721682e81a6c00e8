package io.asynq.spring.boot.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** A clock that goes on, and can be moved ahead. Safe for concurrent use. */
final class TestClock extends Clock {

	private final Clock real;

	private volatile Duration ahead = Duration.ZERO;

	TestClock(Clock real) {
		this.real = real;
	}

	@Override
	public Instant instant() {
		return this.real.instant().plus(this.ahead);
	}

	@Override
	public ZoneId getZone() {
		return this.real.getZone();
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("The queues' clock has the zone " + getZone());
	}

	/** Moves ahead to a time, never back. */
	void moveTo(Instant time) {
		Duration missing = Duration.between(instant(), time);
		if (!missing.isNegative()) {
			this.ahead = this.ahead.plus(missing);
		}
	}

	/** Shows the present again. */
	void reset() {
		this.ahead = Duration.ZERO;
	}

}
