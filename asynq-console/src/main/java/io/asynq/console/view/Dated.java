package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * What was read, and when.
 */
record Dated<T>(Instant at, T value) {

	static <T> Supplier<Dated<T>> of(Supplier<T> reader, Clock clock) {
		return () -> {
			Instant at = clock.instant();
			return new Dated<>(at, reader.get());
		};
	}

}
