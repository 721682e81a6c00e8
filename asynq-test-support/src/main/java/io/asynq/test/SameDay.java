package io.asynq.test;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;

import org.awaitility.Awaitility;

/**
 * Keeps a test that reads counters of a day, with Go or through an interface for people,
 * from running over midnight, after which they begin at zero.
 */
public final class SameDay {

	/** Longer than such a test takes, also on a slow machine. */
	private static final Duration NEEDED = Duration.ofSeconds(90);

	private SameDay() {
	}

	/**
	 * Waits for the next day if this one, in UTC, is about to end.
	 * @return the day on which the test runs
	 */
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
