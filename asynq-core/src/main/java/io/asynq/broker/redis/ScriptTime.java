package io.asynq.broker.redis;

import java.time.Clock;

/**
 * The time that scripts use, and by which a process measures. What servers must agree on
 * goes by Redis's own time; tests pass another.
 */
public interface ScriptTime {

	/** The time of the Redis that runs the script. */
	ScriptTime REDIS = new ScriptTime() {

		@Override
		public String argument() {
			return "";
		}

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

	};

	/**
	 * Returns the present time as scripts take it.
	 * @return nanoseconds since the epoch, or nothing for Redis's own time
	 */
	String argument();

	/** Returns what this process measures by, which nobody sets. */
	long nanoTime();

	/** Returns the time of a clock. */
	static ScriptTime of(Clock clock) {
		return new ScriptTime() {

			@Override
			public String argument() {
				return String.valueOf(nanoTime());
			}

			@Override
			public long nanoTime() {
				return Text.nanos(clock.instant());
			}

		};
	}

}
