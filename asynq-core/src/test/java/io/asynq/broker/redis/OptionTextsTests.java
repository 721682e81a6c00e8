package io.asynq.broker.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionTextsTests {

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
	void aTextWithoutEndIsReadOrLeftOutAtOnce() {
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
	void leavesOutWhatCannotBeRead(String text) {
		assertThat(OptionTexts.parse(List.of(text, "MaxRetry(1)")))
			.hasToString(TaskOptions.of((options) -> options.maxRetry(1)).toString());
	}

	@ParameterizedTest
	@CsvSource({ "0s,PT0S", "0,PT0S", "1h2m3.5s,PT1H2M3.5S", "-1m,PT-1M", "100ms,PT0.1S", "1µs,PT0.000001S",
			"5ns,PT0.000000005S" })
	void readsDurations(String text, Duration duration) {
		assertThat(GoText.duration(text)).isEqualTo(duration);
	}

	@Test
	void readsQuotedText() {
		assertThat(GoText.unquote("\"a\\\"b\\\\c\\n\\t\\u00fc\\U0001F600\\x01\\101\""))
			.isEqualTo("a\"b\\c\n\tü😀\u0001A");
		assertThatIllegalArgumentException().isThrownBy(() -> GoText.unquote("\"\\q\""));
		assertThatIllegalArgumentException().isThrownBy(() -> GoText.unquote("\""));
	}

}
