package io.asynq.internal.redis;

import java.time.Clock;

/** Servers agree by Redis's own time; tests pass another. */
public interface ScriptTime {

	ScriptTime REDIS = new ScriptTime() {

		@Override
		public String argument() {
			return "";
		}

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

	};

	/** Empty for Redis's own time, else nanoseconds since the epoch. */
	String argument();

	long nanoTime();

	static ScriptTime of(Clock clock) {
		return new ScriptTime() {

			@Override
			public String argument() {
				return String.valueOf(nanoTime());
			}

			@Override
			public long nanoTime() {
				return Text.nanos(clock.instant());
			}

		};
	}

}
