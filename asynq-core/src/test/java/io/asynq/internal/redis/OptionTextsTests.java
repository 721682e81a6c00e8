package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.test.OptionValues;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
	void readsEveryOptionThatGoWrites() {
		TaskOptions options = OptionTexts
			.parse(List.of("MaxRetry(5)", "Queue(\"l(o)w\")", "TaskID(\"x\")", "Timeout(1h30m0s)", "Unique(1m0s)",
					"Retention(24h0m0s)", "Group(\"g\")", "Header([\"a\\\"b\",\"\\u003cc,d\"])", "Header([\"e\",\"\"])",
					"Deadline(Mon Jan  2 15:04:05 UTC 2006)", "ProcessAt(Tue Nov 14 22:13:20 UTC 2023)"));
		assertThat(options.maxRetry()).isEqualTo(5);
		assertThat(options.queue()).isEqualTo("l(o)w");
		assertThat(options.taskId()).isEqualTo("x");
		assertThat(options.timeout()).isEqualTo(Duration.ofMinutes(90));
		assertThat(options.uniqueTtl()).isEqualTo(Duration.ofMinutes(1));
		assertThat(options.retention()).isEqualTo(Duration.ofDays(1));
		assertThat(options.group()).isEqualTo("g");
		assertThat(options.headers()).isEqualTo(Map.of("a\"b", "<c,d", "e", ""));
		assertThat(options.deadline()).isEqualTo("2006-01-02T15:04:05Z");
		assertThat(options.processTime(Instant.EPOCH)).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
		assertThat(OptionTexts.parse(List.of("ProcessIn(10s)")).processTime(Instant.EPOCH))
			.isEqualTo(Instant.ofEpochSecond(10));
	}

	@Test
	void unterminatedTextIsHandledWithoutDelay() {
		TaskOptions options = OptionTexts.parse(List.of("Header([\"n\",\"" + "x\\\\".repeat(300_000) + "\"])",
				"Header([\"" + "y".repeat(1_000_000), "Timeout(" + "9".repeat(1_000_000) + "s)"));
		assertThat(options.headers()).containsOnlyKeys("n");
		assertThat(options.headers().get("n")).hasSize(600_000);
		assertThat(options.timeout()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Queue", "Queue(", "Queue()", "Queue(low)", "Queue(\"\")", "Queue(\" \")", "()",
			"MaxRetry(many)", "MaxRetry(99999999999)", "Timeout(1)", "Timeout(1h", "Timeout(-1s)", "Unique(1ms)",
			"Retention(9999999999999h)", "Deadline(tomorrow)", "Header([\"k\"])", "Header(k)", "Newer(1)" })
	void unreadableOptionsAreLeftOut(String text) {
		assertThat(OptionTexts.parse(List.of(text, "MaxRetry(1)")))
			.hasToString(TaskOptions.of((options) -> options.maxRetry(1)).toString());
	}

	@ParameterizedTest
	@EnumSource
	void readsBackWhatItWrites(TaskOption option) {
		List<String> texts = OptionTexts.of(OptionValues.only(option));
		assertThat(texts).singleElement(InstanceOfAssertFactories.STRING).startsWith(option.goName() + "(");
		assertThat(OptionTexts.parse(texts).values()).isEqualTo(OptionValues.only(option).values());
	}

}
