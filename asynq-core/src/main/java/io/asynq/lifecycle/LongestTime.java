package io.asynq.lifecycle;

import java.time.Duration;

/**
 * How long a time in a setting may be. Waits are counted in nanoseconds, which end at 292
 * years; multiples and sums of settings must stay below that.
 */
public final class LongestTime {

	private static final Duration LONGEST = Duration.ofDays(36_500);

	private LongestTime() {
	}

	/**
	 * Refuses what cannot be waited for.
	 * @param setting the setting's name
	 * @param value its value
	 * @return the value, unchanged
	 * @throws IllegalArgumentException if it is longer than 100 years
	 */
	public static Duration require(String setting, Duration value) {
		if (value.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException(
					setting + " must be at most 100 years (" + LONGEST.toDays() + " days), but is " + value);
		}
		return value;
	}

}
