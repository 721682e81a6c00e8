package io.asynq.scheduler;

import java.time.Duration;
import java.time.Instant;

import io.asynq.TaskOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class OptionTextsTests {

	@Test
	void writesEveryOptionAsGoDoes() {
		TaskOptions options = TaskOptions.of((all) -> all.queue("low")
			.maxRetry(5)
			.taskId("x")
			.timeout(Duration.ofMinutes(90))
			.deadline(Instant.parse("2030-01-01T00:00:00Z"))
			.unique(Duration.ofSeconds(61))
			.processIn(Duration.ofMillis(1500))
			.retention(Duration.ofHours(24))
			.group("g")
			.header("b", "2\n\"")
			.header("a", "1"));
		assertThat(OptionTexts.of(options)).containsExactly("Queue(\"low\")", "MaxRetry(5)", "TaskID(\"x\")",
				"Timeout(1h30m0s)", "Deadline(Tue Jan  1 00:00:00 UTC 2030)", "Unique(1m1s)", "ProcessIn(1.5s)",
				"Retention(24h0m0s)", "Group(\"g\")", "Header([\"a\",\"1\"])", "Header([\"b\",\"2\\u000a\\\"\"])");
		assertThat(OptionTexts.of(options)).allMatch((text) -> text.contains("("));
		assertThat(OptionTexts.of(TaskOptions.of((at) -> at.processAt(Instant.parse("2030-11-22T03:04:05.9Z")))))
			.containsExactly("ProcessAt(Fri Nov 22 03:04:05 UTC 2030)");
		assertThat(OptionTexts.of(TaskOptions.none())).isEmpty();
	}

	@Test
	void quotesAsGoDoes() {
		assertThat(OptionTexts.quote("a\"b\\c\n\t\u0001\u007F\u00E9\u00A0\u200B\uD83D\uDE00"))
			.isEqualTo("\"a\\\"b\\\\c\\n\\t\\x01\\x7f\u00E9\\u00a0\\u200b\uD83D\uDE00\"");
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT1S, 1s", "PT0.5S, 500ms", "PT0.0015S, 1.5ms", "PT0.000001S, 1µs", "PT0.000000001S, 1ns",
			"PT1M, 1m0s", "PT1H, 1h0m0s", "PT36H1.25S, 36h0m1.25s", "PT-1M, -1m0s" })
	void writesDurationsAsGoDoes(Duration duration, String text) throws Exception {
		assertThat(GoDuration.format(duration)).isEqualTo(text);
		assertThat(GoDuration.parse(text)).isEqualTo(duration);
	}

}
