package io.asynq.broker.message;

import java.time.Duration;

import io.asynq.lifecycle.LongestTime;

/**
 * When the tasks of a group are turned into one: when there are enough, when the oldest
 * has waited too long, or when none has joined for a while. Times are whole seconds,
 * fractions are cut off, 100 years at most.
 *
 * @param gracePeriod how long after the newest task joined the group is aggregated, at
 * least one second
 * @param maxDelay how long after the oldest task joined the group is aggregated at the
 * latest, zero for no limit
 * @param maxSize how many tasks are enough, and at most become one; 0 for no limit
 */
public record GroupLimits(Duration gracePeriod, Duration maxDelay, int maxSize) {

	private static final Duration ONE_SECOND = Duration.ofSeconds(1);

	private static final GroupLimits DEFAULTS = new GroupLimits(Duration.ofMinutes(1), Duration.ZERO, 0);

	public GroupLimits {
		if (gracePeriod.compareTo(ONE_SECOND) < 0) {
			throw new IllegalArgumentException("group-grace-period must be at least 1 s, but is " + gracePeriod);
		}
		if (maxDelay.isNegative() || (!maxDelay.isZero() && maxDelay.compareTo(ONE_SECOND) < 0)) {
			throw new IllegalArgumentException(
					"group-max-delay must be 0 (for any time) or at least 1 s, but is " + maxDelay);
		}
		LongestTime.require("group-grace-period", gracePeriod);
		LongestTime.require("group-max-delay", maxDelay);
		if (maxSize < 0) {
			throw new IllegalArgumentException(
					"group-max-size must be 0 (for any number) or positive, but is " + maxSize);
		}
	}

	/** Returns asynq's defaults: one minute after the newest task, all tasks at once. */
	public static GroupLimits defaults() {
		return DEFAULTS;
	}

	public GroupLimits withGracePeriod(Duration gracePeriod) {
		return new GroupLimits(gracePeriod, this.maxDelay, this.maxSize);
	}

	public GroupLimits withMaxDelay(Duration maxDelay) {
		return new GroupLimits(this.gracePeriod, maxDelay, this.maxSize);
	}

	public GroupLimits withMaxSize(int maxSize) {
		return new GroupLimits(this.gracePeriod, this.maxDelay, maxSize);
	}

}
