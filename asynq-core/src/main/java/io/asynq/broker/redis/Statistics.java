package io.asynq.broker.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of one queue at one moment, as scripts take them (protocol 4.7).
 */
final class Statistics {

	private static final Duration DAY_COUNTER_LIFE = Duration.ofDays(90);

	private final Keys keys;

	private final Instant now;

	Statistics(Keys keys, Instant now) {
		this.keys = keys;
		this.now = now;
	}

	/**
	 * Returns the keys for tasks that succeeded.
	 * @param containers keys that come first
	 * @return all keys
	 */
	List<String> successKeys(String... containers) {
		List<String> all = new ArrayList<>(List.of(containers));
		all.add(this.keys.processed(day()));
		all.add(this.keys.processedTotal());
		return all;
	}

	/**
	 * Returns the keys for tasks that failed.
	 * @param containers keys that come first
	 * @return all keys
	 */
	List<String> failureKeys(String... containers) {
		List<String> all = new ArrayList<>(List.of(containers));
		all.add(this.keys.processed(day()));
		all.add(this.keys.failed(day()));
		all.add(this.keys.processedTotal());
		all.add(this.keys.failedTotal());
		return all;
	}

	/**
	 * Returns what all scripts that count begin their arguments with.
	 * @return task prefix, end of the day counters' life, limit of the totals
	 */
	List<Object> args() {
		return new ArrayList<>(
				List.of(this.keys.taskPrefix(), Text.seconds(this.now.plus(DAY_COUNTER_LIFE)), Long.MAX_VALUE));
	}

	private LocalDate day() {
		return Keys.day(this.now);
	}

}
