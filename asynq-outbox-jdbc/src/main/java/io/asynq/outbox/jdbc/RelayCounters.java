package io.asynq.outbox.jdbc;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

/**
 * What a relay has done since the start of the JVM, and how full the outbox was when it
 * last looked. Safe for concurrent use.
 */
final class RelayCounters {

	private final LongAdder sent = new LongAdder();

	private final LongAdder failed = new LongAdder();

	/** By database; none of one that could not be asked. */
	private final Map<String, Optional<OutboxNumbers>> numbers = new ConcurrentHashMap<>();

	void sent() {
		this.sent.increment();
	}

	void failed() {
		this.failed.increment();
	}

	void numbers(String database, @Nullable OutboxNumbers numbers) {
		this.numbers.put(database, Optional.ofNullable(numbers));
	}

	/** Returns how many tasks were stored. */
	long allSent() {
		return this.sent.sum();
	}

	/** Returns how many calls to Redis or the database have failed. */
	long allFailed() {
		return this.failed.sum();
	}

	/**
	 * Returns how full the outbox is.
	 * @return {@code null} if a database could not be asked
	 */
	@Nullable OutboxNumbers numbers() {
		return this.numbers.values()
			.stream()
			.reduce((one, other) -> one.flatMap((numbers) -> other.map(numbers::plus)))
			.flatMap((sum) -> sum)
			.orElse(null);
	}

}
