package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of the JSON of records that a controller returns.
 */
class JsonFormTests {

	private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

	private static final Task TASK = Task.of("mail", "hi").withHeaders(Map.of("tenant", "acme"));

	private static final String TASK_JSON = """
			"type": "mail", "payload": "aGk=", "headers": {"tenant": "acme"}
			""";

	static Stream<Arguments> forms() {
		return Stream
			.of(arguments(task(), """
					{"id": "x", "queue": "low", %s, "state": "completed", "maxRetry": 25, "retried": 2,
					"lastError": "no", "lastFailedAt": "2026-01-02T03:04:05Z", "timeout": "PT30M", "deadline": null,
					"group": null, "nextProcessAt": null, "pendingSince": null, "waitsFor": [], "orphaned": false,
					"retention": "PT1H", "completedAt": "2026-01-02T03:04:05Z", "result": "b2s="}
					""".formatted(TASK_JSON)), arguments(queue(), """
					{"queue": "low", "sizes": {"pending": 3}, "groups": 1, "latency": "PT2S", "paused": false,
					"today": {"processed": 5, "failed": 1}, "total": {"processed": 7, "failed": 2},
					"aggregatingAge": "PT0S", "waitingForLimit": 4, "orphaned": 2, "timestamp": "2026-01-02T03:04:05Z"}
					"""),
					arguments(new SchedulerEntry(
							"e", "@daily", TASK, TaskOptions.of((o) -> o.queue("low").timeout(Duration.ofSeconds(9))),
							List.of("Queue(\"low\")"), AT, null),
							"""
									{"id": "e", "spec": "@daily", "task": {%s}, "options": {"queue": "low", "timeout": "PT9S"},
									"optionTexts": ["Queue(\\"low\\")"], "next": "2026-01-02T03:04:05Z", "previous": null}
									"""
								.formatted(TASK_JSON)),
					arguments(new WorkerInfo("x", TASK, "low", AT, AT), """
							{"taskId": "x", "task": {%s}, "queue": "low", "startedAt": "2026-01-02T03:04:05Z",
							"deadline": "2026-01-02T03:04:05Z"}
							""".formatted(TASK_JSON)),
					arguments(
							new ServerInfo("s", "host", 7, 10, Map.of("low", 1), false, "active", AT,
									List.of(new WorkerInfo("x", TASK, "low", AT, AT)), Map.of("low", 3)),
							"""
									{"id": "s", "host": "host", "pid": 7, "concurrency": 10, "queues": {"low": 1},
									"strictPriority": false, "status": "active", "startedAt": "2026-01-02T03:04:05Z",
									"workers": [{"taskId": "x", "task": {%s}, "queue": "low",
									"startedAt": "2026-01-02T03:04:05Z", "deadline": "2026-01-02T03:04:05Z"}],
									"held": {"low": 3}}
									""".formatted(TASK_JSON)),
					arguments(new DailyStats("low", LocalDate.parse("2026-01-02"), 5, 1), """
							{"queue": "low", "date": "2026-01-02", "processed": 5, "failed": 1}
							"""), arguments(new TaskActionResult("x", new TaskNotFoundException("low", "x")), """
							{"id": "x", "error": {"message": "%s"}}
							""".formatted(new TaskNotFoundException("low", "x").getMessage())),
					arguments(new TaskActionResult("x", null), """
							{"id": "x", "error": null}
							"""));
	}

	@ParameterizedTest
	@MethodSource("forms")
	void hasADocumentedForm(Object value, String json) {
		JsonMapper mapper = JsonMapper.builder().build();
		assertThat(mapper.readTree(mapper.writeValueAsString(value))).isEqualTo(mapper.readTree(json));
	}

	private static TaskInfo task() {
		return TaskInfo.builder("x", "low", TASK, TaskState.COMPLETED)
			.maxRetry(25)
			.retried(2)
			.lastError("no")
			.lastFailedAt(AT)
			.timeout(Duration.ofMinutes(30))
			.retention(Duration.ofHours(1))
			.completedAt(AT)
			.result("ok".getBytes())
			.build();
	}

	private static QueueInfo queue() {
		return new QueueInfo("low", new QueueStats(Map.of(TaskState.PENDING, 3L), 1, Duration.ofSeconds(2),
				new QueueStats.Counters(5, 1), new QueueStats.Counters(7, 2), false, Duration.ZERO, 4, 2), AT);
	}

}
