package io.asynq.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.asynq.TaskOption;
import io.asynq.TaskOptions;

/**
 * A value for every option, so that tests of the places that list options need no change
 * when one is added.
 */
public final class OptionValues {

	private OptionValues() {
	}

	public static Object value(TaskOption option) {
		return switch (option.kind()) {
			case TEXT -> "a " + option.key();
			case NUMBER -> 7;
			case FLAG -> true;
			case DURATION -> Duration.ofSeconds(90);
			case TIME -> Instant.parse("2030-01-31T08:00:00Z");
			case HEADERS -> Map.of("tenant", "acme");
		};
	}

	/**
	 * Returns the value as text, as in annotations and properties.
	 */
	public static String text(TaskOption option) {
		return switch (option.kind()) {
			case TEXT, NUMBER, FLAG, TIME -> value(option).toString();
			case DURATION -> "90s";
			case HEADERS -> "tenant=acme";
		};
	}

	public static TaskOptions only(TaskOption option) {
		return TaskOptions.of((options) -> option.set(options, value(option)));
	}

}
