package io.asynq.broker.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of one queue, as scripts take them. The day is that on which a script
 * runs.
 */
public final class Statistics {

	private static final Duration DAY_COUNTER_LIFE = Duration.ofDays(90);

	private static final Duration ARCHIVE_AGE = Duration.ofDays(90);

	private static final int ARCHIVE_SIZE = 10_000;

	private final Keys keys;

	private final ScriptTime time;

	public Statistics(Keys keys, ScriptTime time) {
		this.keys = keys;
		this.time = time;
	}

	/**
	 * Returns the keys for tasks that succeeded.
	 * @param containers keys that come first
	 */
	public List<String> successKeys(String... containers) {
		List<String> all = new ArrayList<>(List.of(containers));
		all.add(this.keys.processedTotal());
		return all;
	}

	/**
	 * Returns the keys for tasks that failed.
	 * @param containers keys that come first
	 */
	public List<String> failureKeys(String... containers) {
		List<String> all = successKeys(containers);
		all.add(this.keys.failedTotal());
		return all;
	}

	/**
	 * Returns the first arguments of all scripts that count.
	 * @return task prefix, life of the day counters, limit of the totals, present time
	 */
	public List<Object> args() {
		return new ArrayList<>(
				List.of(this.keys.taskPrefix(), DAY_COUNTER_LIFE.toSeconds(), Long.MAX_VALUE, this.time.argument()));
	}

	/**
	 * Returns the limits of the archive: its age in seconds and its size, as in Go.
	 */
	public static List<Object> archiveLimits() {
		return List.of(ARCHIVE_AGE.toSeconds(), ARCHIVE_SIZE);
	}

}
