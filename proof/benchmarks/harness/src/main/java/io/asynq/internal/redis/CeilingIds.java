package io.asynq.internal.redis;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Ids as long as a UUID but cheaper; different producers never make the same id. */
final class CeilingIds {

	private static final int PREFIX = 24;

	private final String prefix = UUID.randomUUID().toString().substring(0, PREFIX);

	private final AtomicLong last = new AtomicLong(100_000_000_000L);

	String next() {
		return this.prefix + this.last.incrementAndGet();
	}

}
