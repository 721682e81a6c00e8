package io.asynq.broker.redis;

import java.time.Clock;

/**
 * Whose time scripts go by. What servers must agree on is told in Redis's time, which
 * none of them has to ask for or can get wrong; tests name one of their own.
 */
interface ScriptTime {

	/** The time of the Redis that runs the script. */
	ScriptTime REDIS = () -> "";

	/**
	 * Returns what scripts take as the present time.
	 * @return nanoseconds since the epoch, or nothing for that of Redis
	 */
	String argument();

	/**
	 * Returns the time of a clock.
	 * @param clock the clock
	 * @return its time
	 */
	static ScriptTime of(Clock clock) {
		return () -> String.valueOf(Text.nanos(clock.instant()));
	}

}
