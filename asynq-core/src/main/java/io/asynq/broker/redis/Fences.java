package io.asynq.broker.redis;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes texts that tell attempts from each other: no two are alike, whoever makes them.
 * Short, because each active task keeps one. Safe for concurrent use.
 */
final class Fences {

	private final String prefix = Long.toString(UUID.randomUUID().getMostSignificantBits(), Character.MAX_RADIX) + '.';

	private final AtomicLong last = new AtomicLong();

	String next() {
		return this.prefix + Long.toString(this.last.incrementAndGet(), Character.MAX_RADIX);
	}

}
