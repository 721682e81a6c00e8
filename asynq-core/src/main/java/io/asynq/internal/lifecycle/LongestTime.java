package io.asynq.internal.lifecycle;

import java.time.Duration;

/**
 * Waits are counted in nanoseconds, which overflow at 292 years; multiples and sums of
 * settings must stay below that.
 */
public final class LongestTime {

	private static final Duration LONGEST = Duration.ofDays(36_500);

	private LongestTime() {
	}

	public static Duration require(String setting, Duration value) {
		if (value.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException(
					setting + " must be at most 100 years (" + LONGEST.toDays() + " days), but is " + value);
		}
		return value;
	}

	public static Duration requirePositive(String setting, Duration value) {
		if (value.isZero()) {
			throw new IllegalArgumentException(setting + " must be positive, but is " + value);
		}
		return requireNotNegative(setting, value);
	}

	public static Duration requireNotNegative(String setting, Duration value) {
		if (value.isNegative()) {
			throw new IllegalArgumentException(setting + " must not be negative, but is " + value);
		}
		return require(setting, value);
	}

}
