package io.asynq;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of {@link TaskOptions}.
 */
class TaskOptionsTests {

	private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

	static Stream<Arguments> invalid() {
		String half = "a\ud800";
		return Stream.of(invalid("queue", (o) -> o.queue("")), invalid("queue", (o) -> o.queue(" \t")),
				invalid("queue", (o) -> o.queue(half)), invalid("taskId", (o) -> o.taskId(" ")),
				invalid("taskId", (o) -> o.taskId(half)), invalid("group", (o) -> o.group("\n")),
				invalid("group", (o) -> o.group(half)), invalid("header", (o) -> o.header(" ", "x")),
				invalid("header", (o) -> o.headers(Map.of("", "x"))),
				invalid("unique", (o) -> o.unique(Duration.ofMillis(999))),
				invalid("unique", (o) -> o.unique(Duration.ZERO)),
				invalid("unique", (o) -> o.unique(Duration.ofSeconds(-1))),
				invalid("timeout", (o) -> o.timeout(Duration.ofMillis(999))),
				invalid("timeout", (o) -> o.timeout(Duration.ofSeconds(-1))),
				invalid("retention", (o) -> o.retention(Duration.ofNanos(1))),
				invalid("retention", (o) -> o.retention(Duration.ofSeconds(-1))));
	}

	@ParameterizedTest
	@MethodSource("invalid")
	void errorNamesInvalidOption(String option, Consumer<TaskOptions.Builder> spec) {
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskOptions.of(spec))
			.withMessageContaining("'" + option + "'")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo(option));
	}

	@Test
	void acceptsMinimumValues() {
		TaskOptions options = TaskOptions.of((o) -> o.unique(Duration.ofSeconds(1))
			.timeout(Duration.ZERO)
			.retention(Duration.ZERO)
			.maxRetry(-7)
			.queue("x"));
		assertThat(options.uniqueTtl()).isEqualTo(Duration.ofSeconds(1));
		assertThat(options.timeout()).isEqualTo(Duration.ZERO);
		assertThat(options.retention()).isEqualTo(Duration.ZERO);
		assertThat(options.maxRetry()).isZero();
	}

	@Test
	void keepsNamesUnchanged() {
		TaskOptions options = TaskOptions.of((o) -> o.queue(" User:42 ").taskId("ID").group("Grün"));
		assertThat(options.queue()).isEqualTo(" User:42 ");
		assertThat(options.taskId()).isEqualTo("ID");
		assertThat(options.group()).isEqualTo("Grün");
	}

	@Test
	void isEmptyByDefault() {
		TaskOptions options = TaskOptions.none();
		assertThat(options.queue()).isNull();
		assertThat(options.taskId()).isNull();
		assertThat(options.maxRetry()).isNull();
		assertThat(options.timeout()).isNull();
		assertThat(options.deadline()).isNull();
		assertThat(options.uniqueTtl()).isNull();
		assertThat(options.retention()).isNull();
		assertThat(options.group()).isNull();
		assertThat(options.processTime(NOW)).isNull();
		assertThat(options.headers()).isEmpty();
	}

	@Test
	void overridesOnlyOptionsThatAreSet() {
		TaskOptions weak = TaskOptions.of((o) -> o.queue("weak")
			.taskId("weak")
			.maxRetry(1)
			.timeout(Duration.ofSeconds(1))
			.deadline(NOW)
			.unique(Duration.ofSeconds(1))
			.retention(Duration.ofSeconds(1))
			.group("weak")
			.processAt(NOW));
		assertThat(weak.overriddenBy(TaskOptions.none())).hasToString(weak.toString());
		TaskOptions strong = TaskOptions.of((o) -> o.queue("strong")
			.taskId("strong")
			.maxRetry(2)
			.timeout(Duration.ofSeconds(2))
			.deadline(NOW.plusSeconds(2))
			.unique(Duration.ofSeconds(2))
			.retention(Duration.ofSeconds(2))
			.group("strong")
			.processAt(NOW.plusSeconds(2)));
		assertThat(weak.overriddenBy(strong)).hasToString(strong.toString());
		TaskOptions mixed = weak.overriddenBy(TaskOptions.of((o) -> o.maxRetry(2)));
		assertThat(mixed.maxRetry()).isEqualTo(2);
		assertThat(mixed.queue()).isEqualTo("weak");
		assertThat(mixed.group()).isEqualTo("weak");
		assertThat(weak.maxRetry()).isEqualTo(1);
	}

	@Test
	void lastOfTimeAndDelayWins() {
		Instant time = NOW.plusSeconds(60);
		Duration delay = Duration.ofSeconds(5);
		assertThat(TaskOptions.of((o) -> o.processAt(time).processIn(delay)).processTime(NOW))
			.isEqualTo(NOW.plusSeconds(5));
		assertThat(TaskOptions.of((o) -> o.processIn(delay).processAt(time)).processTime(NOW)).isEqualTo(time);
		TaskOptions at = TaskOptions.of((o) -> o.processAt(time));
		TaskOptions in = TaskOptions.of((o) -> o.processIn(delay));
		assertThat(at.overriddenBy(in).processTime(NOW)).isEqualTo(NOW.plusSeconds(5));
		assertThat(in.overriddenBy(at).processTime(NOW)).isEqualTo(time);
	}

	@Test
	void headerWithoutValueIsOmitted() {
		Map<String, String> headers = new HashMap<>();
		headers.put("trace", null);
		headers.put("tenant", "b");
		TaskOptions options = TaskOptions.of((o) -> o.header("user", "ann").header("tenant", "a").headers(headers));
		assertThat(options.headers()).isEqualTo(Map.of("user", "ann", "tenant", "b"));
		assertThat(options.toBuilder().header("tenant", null).build().headers()).isEqualTo(Map.of("user", "ann"));
	}

	@Test
	void mergesHeadersPreferringTheOverride() {
		TaskOptions weak = TaskOptions.of((o) -> o.header("a", "weak").header("b", "weak"));
		TaskOptions strong = TaskOptions.of((o) -> o.headers(Map.of("b", "strong", "c", "strong")));
		assertThat(weak.overriddenBy(strong).headers()).isEqualTo(Map.of("a", "weak", "b", "strong", "c", "strong"));
	}

	@Test
	void isIndependentOfItsBuilder() {
		TaskOptions.Builder builder = TaskOptions.builder().queue("a").header("a", "1");
		TaskOptions options = builder.build();
		builder.queue("b").header("b", "2");
		assertThat(options.queue()).isEqualTo("a");
		assertThat(options.headers()).isEqualTo(Map.of("a", "1"));
	}

	private static Arguments invalid(String option, Consumer<TaskOptions.Builder> spec) {
		return arguments(option, spec);
	}

}
