package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.console.http.Calls;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;

import static io.asynq.console.view.Answers.ids;
import static io.asynq.console.view.Answers.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What lists of tasks and the page of one show, and how a task is written.
 */
@ExtendWith(RedisExtension.class)
class TaskViewsIT {

	private final RedisState state;

	@AutoClose
	private final Views views;

	private final Calls calls;

	TaskViewsIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.views = new Views(factory);
		this.calls = this.views.calls();
	}

	@Test
	void listsTasksByFilter() {
		this.views.enqueue("default", "mail:send", "a", "{\"to\":1}");
		this.views.enqueue("default", "report", "b", "{}");
		JsonNode tasks = this.calls.get("tasks", "q", "default", "state", "pending", "filter", "type:mail:send");
		assertThat(ids(tasks)).containsExactly("a");
		assertThat(tasks.path("scanned").asInt()).isEqualTo(2);
		assertThat(tasks.path("total").asInt()).isEqualTo(2);
		assertThat(tasks.path("complete").asBoolean()).isTrue();
		assertThat(tasks.path("next").isNull()).isTrue();
		JsonNode line = tasks.path("entries").get(0);
		assertThat(line.path("state").asString()).isEqualTo("pending");
		assertThat(line.path("payloadPreview").asString()).isEqualTo("{\"to\":1}");
		assertThat(line.path("payloadSize").asInt()).isEqualTo(8);
		assertThat(Instant.parse(tasks.path("asOf").asString())).isBetween(Instant.now().minusSeconds(60),
				Instant.now().plusSeconds(60));
	}

	@ParameterizedTest
	@CsvSource({ "filter,nonsense,400 filter", "filter,status:x,400 filter", "state,running,400 parameter",
			"state,deferred,400 parameter", "state,aggregating,400 parameter", "size,0,400 parameter",
			"size,201,400 parameter", "cursor,x,400 parameter", "q,nobody,404 not-found" })
	void refusesWhatMakesNoSense(String name, String value, String code) {
		this.views.enqueue("default", "x", "a", "{}");
		Map<String, String> parameters = new LinkedHashMap<>(Map.of("q", "default", "state", "pending"));
		parameters.put(name, value);
		List<Object> flat = new ArrayList<>();
		parameters.forEach((key, each) -> {
			flat.add(key);
			flat.add(each);
		});
		assertThat(Calls.code(catchThrowable(() -> this.calls.get("tasks", flat.toArray())))).isEqualTo(code);
	}

	@Test
	void taskThatWaitsForALimitSaysForWhichAndIsNoFailure() {
		new LimitSeeds(this.views.broker).concurrent("pdf", 1).hold("default", "a", "pdf").park("default", "b", "pdf");
		JsonNode line = this.calls.get("tasks", "q", "default", "state", "retry").path("entries").get(0);
		assertThat(texts(line.path("waitsFor"))).containsExactly("pdf");
		JsonNode task = this.calls.get("task", "q", "default", "id", "b").path("task");
		assertThat(texts(task.path("waitsFor"))).containsExactly("pdf");
		assertThat(this.calls.get("failures", "queue", "default").path("groups")).isEmpty();
	}

	@Test
	void showsTaskWithWhatStandsBesideIt() {
		this.views.client.enqueue(Task.of("x", bytes("{\"a\":1}")).withHeaders(Map.of("tenant", "t")), TaskOptions
			.of((options) -> options.taskId("t1").unique(Duration.ofHours(1)).retention(Duration.ofDays(1))));
		JsonNode answer = this.calls.get("task", "q", "default", "id", "t1");
		assertThat(answer.path("task").path("id").asString()).isEqualTo("t1");
		assertThat(answer.path("task").path("payload").isNull()).isTrue();
		assertThat(answer.path("task").path("retention").asString()).isEqualTo("PT24H");
		assertThat(answer.path("payload").path("format").asString()).isEqualTo("json");
		assertThat(answer.path("payload").path("sanitized").asBoolean()).isFalse();
		assertThat(answer.path("headers").path("tenant").asString()).isEqualTo("t");
		assertThat(answer.path("uniqueLock").path("key").asString()).startsWith("asynq:{default}:unique:x:");
		assertThat(Duration.parse(answer.path("uniqueLock").path("ttl").asString())).isBetween(Duration.ofMinutes(50),
				Duration.ofHours(1));
		assertThat(answer.path("lease").isNull()).isTrue();
		assertThat(answer.path("result").isNull()).isTrue();
		assertThat(texts(answer.path("actions"))).containsExactly("archive", "delete", "clone");
	}

	@Test
	void showsWhereActiveTaskRuns() {
		Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
		this.state.seedActive(now.plusSeconds(30), RedisState.message("default", "t1").build());
		this.views.serve("default", Set.of("email:send"), "t1", now, now.plusSeconds(60));
		JsonNode answer = this.calls.get("task", "q", "default", "id", "t1");
		assertThat(answer.path("lease").path("valid").asBoolean()).isTrue();
		assertThat(answer.path("worker").path("host").asString()).isEqualTo("host");
		assertThat(Instant.parse(answer.path("worker").path("deadline").asString())).isEqualTo(now.plusSeconds(60));
		JsonNode line = this.calls.get("tasks", "q", "default", "state", "active").path("entries").get(0);
		assertThat(line.path("server").asString()).isEqualTo("uuid");
		assertThat(Instant.parse(line.path("startedAt").asString())).isEqualTo(now);
	}

	@Test
	void largeAndBinaryPayloadsStaySmall() {
		this.state.seedPending(RedisState.message("default", "a").payload(bytes("x".repeat(5 * 1024 * 1024))).build());
		this.views.client.enqueue(Task.of("binary", new byte[] { 8, (byte) 0x96, 1, 0 }),
				TaskOptions.of((options) -> options.taskId("b")));
		assertThat(this.calls.get("tasks", "q", "default", "state", "pending").toString()).hasSizeLessThan(5000);
		JsonNode big = this.calls.get("task", "q", "default", "id", "a").path("payload");
		assertThat(big.path("truncated").asBoolean()).isTrue();
		assertThat(big.path("size").asInt()).isEqualTo(5 * 1024 * 1024);
		assertThat(big.path("text").asString()).hasSize(64 * 1024);
		assertThat(this.calls.get("task", "q", "default", "id", "b").path("payload").path("format").asString())
			.isEqualTo("hex");
		assertThat(this.calls.file("payload", "q", "default", "id", "a").content()).hasSize(5 * 1024 * 1024);
	}

	@Test
	void commandsForShellsKeepNamesAsText() {
		this.views.enqueue("it's", "x", "$(rm -rf /)", "{}");
		JsonNode commands = this.calls.get("task", "q", "it's", "id", "$(rm -rf /)").path("commands");
		assertThat(commands.path("cli").asString())
			.isEqualTo("asynq task inspect --queue='it'\\''s' --id='$(rm -rf /)'");
	}

	@Test
	void enqueuesAndReplacesPayloads() {
		JsonNode task = this.calls
			.post("task/enqueue", "q", "low", "type", "x", "payload", "AAE=", "encoding", "base64", "headers",
					Map.of("tenant", "a=b"), "options",
					Map.of("processIn", "PT1H", "maxRetry", "3", "taskId", "t1", "queue", "other"))
			.path("task");
		assertThat(task.path("queue").asString()).isEqualTo("low");
		assertThat(task.path("state").asString()).isEqualTo("scheduled");
		assertThat(task.path("maxRetry").asInt()).isEqualTo(3);
		assertThat(this.views.inspector.taskInfo("low", "t1").payload()).containsExactly(0, 1);
		assertThat(this.views.inspector.taskInfo("low", "t1").headers()).containsEntry("tenant", "a=b");
		String exact = "{\"a\":12345678901234567.89,\"b\":[1.10,1E400,-0.0]}";
		this.calls.post("task/update-payload", "q", "low", "id", "t1", "payload", exact, "encoding", "utf8");
		assertThat(this.views.inspector.taskInfo("low", "t1").payload()).isEqualTo(bytes(exact));
		assertThat(this.calls.get("task", "q", "low", "id", "t1").path("payload").path("text").asString())
			.contains("12345678901234567.89", "1.10", "1E400", "-0.0");
		assertThat(Calls.code(catchThrowable(
				() -> this.calls.post("task/enqueue", "q", "low", "type", "x", "options", Map.of("taskId", "t1")))))
			.isEqualTo("409 conflict");
		for (Map<String, String> options : List.of(Map.of("maxRetry", "many"), Map.of("colour", "red"))) {
			assertThat(Calls.code(
					catchThrowable(() -> this.calls.post("task/enqueue", "q", "low", "type", "x", "options", options))))
				.isEqualTo("400 parameter");
		}
		assertThat(Calls.code(catchThrowable(() -> this.calls.post("task/enqueue", "q", "low", "type", "x", "payload",
				"%%%", "encoding", "base64"))))
			.isEqualTo("400 parameter");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
