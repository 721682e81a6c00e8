package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;

/**
 * A time in which the machine let the program that judges, which does next to nothing,
 * not run: workers did not run either, which is no fault of theirs.
 */
public record Standstill(Instant start, Instant end) {

	public Duration within(Instant from, Instant until) {
		Instant first = this.start.isAfter(from) ? this.start : from;
		Instant last = this.end.isBefore(until) ? this.end : until;
		return last.isAfter(first) ? Duration.between(first, last) : Duration.ZERO;
	}

}
