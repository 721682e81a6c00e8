package io.asynq.test;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;

import org.awaitility.Awaitility;

/**
 * Counters of a day that a test reads begin at zero at midnight.
 */
public final class SameDay {

	/** Longer than such a test takes, also on a slow machine. */
	private static final Duration NEEDED = Duration.ofSeconds(90);

	private SameDay() {
	}

	/** Waits for the next day, in UTC, if this one is about to end. */
	public static LocalDate begin() {
		return begin(Clock.systemUTC());
	}

	static LocalDate begin(Clock clock) {
		Awaitility.await("midnight")
			.atMost(NEEDED.plusMinutes(1))
			.pollDelay(Duration.ZERO)
			.until(() -> LocalTime.now(clock).isBefore(LocalTime.MAX.minus(NEEDED)));
		return LocalDate.now(clock);
	}

}
