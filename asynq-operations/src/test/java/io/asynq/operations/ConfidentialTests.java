package io.asynq.operations;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.WorkerInfo;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ConfidentialTests {

	private static final Task TASK = Task.of("mail", "secret").withHeaders(Map.of("tenant", "secret"));

	private final JsonMapper json = new JsonMapper();

	@Test
	void hidesPayloadResultAndHeadersOfTaskAndNothingElse() {
		TaskInfo task = TaskInfo.builder("t1", "default", TASK, TaskState.RETRY)
			.maxRetry(3)
			.retried(2)
			.lastError("boom")
			.lastFailedAt(Instant.EPOCH)
			.group("g")
			.nextProcessAt(Instant.EPOCH)
			.waitsFor(List.of("pdf"))
			.orphaned(true)
			.result(new byte[] { 1 })
			.build();
		JsonNode shown = this.json.valueToTree(task);
		JsonNode hidden = this.json.valueToTree(Confidential.hide(task));
		assertThat(hidden.toString()).doesNotContain("secret");
		assertThat(hidden.path("payload").isNull()).isTrue();
		assertThat(hidden.path("result").isNull()).isTrue();
		assertThat(hidden.path("headers").toString()).isEqualTo("{\"tenant\":\"******\"}");
		shown.propertyNames()
			.stream()
			.filter((name) -> !List.of("payload", "result", "headers").contains(name))
			.forEach((name) -> assertThat(hidden.path(name)).as(name).isEqualTo(shown.path(name)));
	}

	@Test
	void hidesPayloadsOfWorkers() {
		ServerInfo server = new ServerInfo("s", "h", 1, 2, Map.of("default", 1), false, "active", Instant.EPOCH,
				List.of(new WorkerInfo("t1", TASK, "default", Instant.EPOCH, Instant.EPOCH)), Map.of());
		JsonNode hidden = this.json.valueToTree(Confidential.hide(server));
		assertThat(hidden.toString()).contains("t1", "mail").doesNotContain("secret", "c2VjcmV0");
	}

	@Test
	void hidesPayloadsAndHeadersOfPeriodicTasks() {
		SchedulerEntry entry = new SchedulerEntry("e", "@daily", TASK,
				TaskOptions.of((options) -> options.queue("low").header("tenant", "secret")),
				List.of("Queue(\"low\")", "Header(\"tenant\", \"secret\")"), null, null);
		JsonNode hidden = this.json.valueToTree(Confidential.hide(entry));
		assertThat(hidden.toString()).contains("low").doesNotContain("secret", "c2VjcmV0");
	}

}
