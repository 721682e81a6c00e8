package io.asynq.operations.attention;

import java.time.Clock;
import java.time.Instant;
import java.util.function.Supplier;

public record Dated<T>(Instant at, T value) {

	/** Dated by when reading begins. */
	public static <T> Supplier<Dated<T>> of(Supplier<T> reader, Clock clock) {
		return () -> {
			Instant at = clock.instant();
			return new Dated<>(at, reader.get());
		};
	}

}
