package io.asynq.outbox.jdbc;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

/**
 * Counts since the start of the JVM; how full the outbox was is that of the last look.
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

	long allSent() {
		return this.sent.sum();
	}

	/** Calls to Redis or the database. */
	long allFailed() {
		return this.failed.sum();
	}

	/** Returns {@code null} if a database could not be asked. */
	@Nullable OutboxNumbers numbers() {
		return this.numbers.values()
			.stream()
			.reduce((one, other) -> one.flatMap((numbers) -> other.map(numbers::plus)))
			.flatMap((sum) -> sum)
			.orElse(null);
	}

}
