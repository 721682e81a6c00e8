package io.asynq.operations.survey;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TaskFilterTests {

	private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

	private static final TaskInfo TASK = TaskInfo
		.builder("order-17/<b>", "q",
				Task.of("mail:send", "{\"to\":\"Jürgen\"}".getBytes(StandardCharsets.UTF_8))
					.withHeaders(Map.of("tenant", "a b", "trace", "1")),
				TaskState.RETRY)
		.lastError("dial tcp 10.0.0.1: Connection \"refused\"")
		.lastFailedAt(NOW.minus(Duration.ofHours(1)))
		.build();

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = '|',
			value = { "type:mail:send|true", "type:mail|false", "type:mail:*|true", "id:17|true", "id:order-*|true",
					"id:7*|false", "error:\"connection\"|true", "error:CONNECTION|true", "error:timeout|false",
					"error:\"Connection \\\"refused\\\"\"|true", "payload:Jürgen|true", "payload:jürgen|false",
					"header:tenant|true", "header:tenant=a|false", "header:tenant=\"a b\"|true",
					"header:\"tenant=a b\"|true", "header:nobody|false", "older:30m|true", "older:1h|true",
					"older:2h|false", "newer:2h|true", "newer:PT59M|false", "newer:7d|true",
					"type:mail:send error:refused older:30m|true", "type:mail:send error:timeout|false" })
	void choosesTasks(String filter, boolean passes) {
		assertThat(TaskFilter.parse(filter).passes(TASK, NOW)).isEqualTo(passes);
	}

	@Test
	void timeIsThatOfCompletionOrOfTheNextAttemptIfItHasNotFailed() {
		TaskInfo.Builder task = TaskInfo.builder("t", "q", Task.of("x", (byte[]) null), TaskState.COMPLETED);
		assertThat(TaskFilter.parse("older:1h").passes(task.build(), NOW)).isFalse();
		assertThat(TaskFilter.parse("newer:1h").passes(task.build(), NOW)).isFalse();
		task.nextProcessAt(NOW.plusSeconds(60));
		assertThat(TaskFilter.parse("newer:1h").passes(task.build(), NOW)).isTrue();
		task.completedAt(NOW.minus(Duration.ofHours(2)));
		assertThat(TaskFilter.parse("older:1h").passes(task.build(), NOW)).isTrue();
	}

	@Test
	void allTasksPassWithoutWords() {
		for (String text : new String[] { null, "", "  \n" }) {
			assertThat(TaskFilter.parse(text).isAll()).isTrue();
			assertThat(TaskFilter.parse(text).passes(TASK, NOW)).isTrue();
		}
	}

	@Test
	void tellsWhetherItAsksForWhatMayBeHidden() {
		assertThat(TaskFilter.parse("payload:x").asksPayload()).isTrue();
		assertThat(TaskFilter.parse("type:a header:x=1").asksPayload()).isTrue();
		assertThat(TaskFilter.parse("type:payload:x").asksPayload()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "mail", "state:retry", "type:", "type:\"\"", "error:\"open", "older:soon", "older:-1h",
			"newer:1", ":x", "type:a b", "header:=x", "older:99999999999999999999d", "tYpe:x", "\u0000" })
	void saysWhatIsWrongAndWhatMayBeWritten(String filter) {
		assertThatExceptionOfType(TaskFilterException.class).isThrownBy(() -> TaskFilter.parse(filter))
			.withMessageContaining("filter")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(300));
	}

}
