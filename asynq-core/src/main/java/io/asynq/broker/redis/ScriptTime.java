package io.asynq.broker.redis;

import java.time.Clock;

/**
 * Whose time scripts go by, and what a process measures by. What servers must agree on is
 * told in Redis's time, which none of them has to ask for or can get wrong; tests name
 * one of their own.
 */
interface ScriptTime {

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
	 * Returns what scripts take as the present time.
	 * @return nanoseconds since the epoch, or nothing for that of Redis
	 */
	String argument();

	/**
	 * Returns what this process measures by, which nobody sets.
	 * @return nanoseconds since any moment
	 */
	long nanoTime();

	/**
	 * Returns the time of a clock.
	 * @param clock the clock
	 * @return its time
	 */
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
