package io.asynq.internal.worker;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Short, because each active task stores one; marked if fetched ahead, and ends with the
 * lease's milliseconds if these are not the default.
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

	String next(boolean ahead) {
		return this.prefix + Long.toString(this.last.incrementAndGet(), Character.MAX_RADIX) + (ahead ? AHEAD : "")
				+ this.suffix;
	}

	static boolean isAhead(String fence) {
		return fence.indexOf(AHEAD) >= 0;
	}

}
