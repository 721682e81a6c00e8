package io.asynq.broker.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of one queue, as scripts take them (protocol 4.7): those of the day go by
 * the time at which a script runs.
 */
final class Statistics {

	private static final Duration DAY_COUNTER_LIFE = Duration.ofDays(90);

	private final Keys keys;

	private final ScriptTime time;

	Statistics(Keys keys, ScriptTime time) {
		this.keys = keys;
		this.time = time;
	}

	/**
	 * Returns the keys for tasks that succeeded.
	 * @param containers keys that come first
	 * @return all keys
	 */
	List<String> successKeys(String... containers) {
		List<String> all = new ArrayList<>(List.of(containers));
		all.add(this.keys.processedTotal());
		return all;
	}

	/**
	 * Returns the keys for tasks that failed.
	 * @param containers keys that come first
	 * @return all keys
	 */
	List<String> failureKeys(String... containers) {
		List<String> all = successKeys(containers);
		all.add(this.keys.failedTotal());
		return all;
	}

	/**
	 * Returns what all scripts that count begin their arguments with.
	 * @return task prefix, life of the day counters, limit of the totals, present time
	 */
	List<Object> args() {
		return new ArrayList<>(
				List.of(this.keys.taskPrefix(), DAY_COUNTER_LIFE.toSeconds(), Long.MAX_VALUE, this.time.argument()));
	}

}
