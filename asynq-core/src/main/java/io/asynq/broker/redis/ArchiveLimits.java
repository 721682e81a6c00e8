package io.asynq.broker.redis;

import java.time.Duration;
import java.util.List;

/**
 * What an archive keeps, as every script takes it that archives tasks (protocol 6.11).
 */
final class ArchiveLimits {

	private static final Duration AGE = Duration.ofDays(90);

	private static final int SIZE = 10_000;

	private ArchiveLimits() {
	}

	/**
	 * Returns what scripts that archive need to know.
	 * @return how long the archive keeps a task, in seconds, and how many tasks
	 */
	static List<Object> args() {
		return List.of(AGE.toSeconds(), SIZE);
	}

}
