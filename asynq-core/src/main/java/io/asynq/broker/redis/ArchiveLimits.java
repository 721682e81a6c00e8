package io.asynq.broker.redis;

import java.time.Duration;
import java.time.Instant;
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
	 * @param now the present time
	 * @return present time, what was archived at or before that is too old, in seconds;
	 * how many tasks the archive keeps
	 */
	static List<Object> args(Instant now) {
		return List.of(Text.seconds(now), Text.seconds(now.minus(AGE)), SIZE);
	}

}
