package io.asynq.broker.redis;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes texts that tell attempts from each other: no two are alike, whoever makes them.
 * Short, because each active task keeps one. They end with how long leases last, in
 * milliseconds, where that is not usual. Safe for concurrent use.
 */
final class Fences {

	private static final Duration USUAL = Duration.ofSeconds(30);

	private final String prefix = Long.toString(UUID.randomUUID().getMostSignificantBits(), Character.MAX_RADIX) + '.';

	private final AtomicLong last = new AtomicLong();

	private final String suffix;

	Fences(Duration leaseDuration) {
		this.suffix = USUAL.equals(leaseDuration) ? "" : "~" + leaseDuration.toMillis();
	}

	String next() {
		return this.prefix + Long.toString(this.last.incrementAndGet(), Character.MAX_RADIX) + this.suffix;
	}

}
