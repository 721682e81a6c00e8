package io.asynq.outbox.jdbc;

import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * @param oldestMillis when the oldest waiting row was written, {@code null} if none waits
 */
record OutboxNumbers(long waiting, long setAside, @Nullable Long oldestMillis) {

	OutboxNumbers plus(OutboxNumbers other) {
		return new OutboxNumbers(this.waiting + other.waiting, this.setAside + other.setAside,
				Stream.of(this, other)
					.map(OutboxNumbers::oldestMillis)
					.filter(Objects::nonNull)
					.min(Long::compare)
					.orElse(null));
	}

}
