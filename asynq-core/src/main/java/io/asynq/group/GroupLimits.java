package io.asynq.group;

import java.time.Duration;

import io.asynq.internal.lifecycle.LongestTime;

/**
 * When a group is aggregated: enough tasks, the oldest waited too long, or none joined
 * for a while; whole seconds, zero for no limit.
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
