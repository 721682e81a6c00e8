package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Counters go by the day on which the script runs. */
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

	public List<String> successKeys(String... containers) {
		List<String> all = new ArrayList<>(List.of(containers));
		all.add(this.keys.processedTotal());
		return all;
	}

	public List<String> failureKeys(String... containers) {
		List<String> all = successKeys(containers);
		all.add(this.keys.failedTotal());
		return all;
	}

	/** To be the first arguments of all scripts that count. */
	public List<Object> args() {
		return new ArrayList<>(
				List.of(this.keys.taskPrefix(), DAY_COUNTER_LIFE.toSeconds(), Long.MAX_VALUE, this.time.argument()));
	}

	/** Its age in seconds and its size, as in Go. */
	public static List<Object> archiveLimits() {
		return List.of(ARCHIVE_AGE.toSeconds(), ARCHIVE_SIZE);
	}

}
