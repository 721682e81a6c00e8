package io.asynq.broker.redis.task;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates globally unique texts that identify attempts. They are short, because each
 * active task stores one. Those of calls that fetch ahead are marked. They end with the
 * length of the lease in milliseconds if that is not the default. Safe for concurrent
 * use.
 */
final class Fences {

	private static final char AHEAD = '+';

	private static final Duration USUAL = Duration.ofSeconds(30);

	private final String prefix = Long.toString(UUID.randomUUID().getMostSignificantBits(), Character.MAX_RADIX) + '.';

	private final AtomicLong last = new AtomicLong();

	private final String suffix;

	Fences(Duration leaseDuration) {
		this.suffix = USUAL.equals(leaseDuration) ? "" : "~" + leaseDuration.toMillis();
	}

	/**
	 * @param ahead whether handlers may not begin before long, see {@link #isAhead}
	 */
	String next(boolean ahead) {
		return this.prefix + Long.toString(this.last.incrementAndGet(), Character.MAX_RADIX) + (ahead ? AHEAD : "")
				+ this.suffix;
	}

	/**
	 * Returns whether a fence is that of a call that fetched ahead.
	 */
	static boolean isAhead(String fence) {
		return fence.indexOf(AHEAD) >= 0;
	}

}
