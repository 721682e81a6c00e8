package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.Calls;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What is not shown: payloads and queues that somebody may not see, and what a sanitizer
 * takes out.
 */
@ExtendWith(RedisExtension.class)
class HiddenDataIT {

	private RedisConnectionFactory factory;

	private RedisState state;

	private Views views;

	private Calls calls;

	@BeforeEach
	void open(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		this.views = new Views(factory);
		this.calls = this.views.calls();
	}

	@AfterEach
	void close() {
		this.views.close();
	}

	@Test
	void whoMayNotSeePayloadsSeesNoneAndCannotSearchThem() {
		this.views.client.enqueue(Task.of("x", bytes("secret")).withHeaders(Map.of("tenant", "secret")),
				TaskOptions.of((options) -> options.taskId("t1")));
		Calls viewer = this.views.calls(Set.of(ConsoleRight.SEE_PAYLOADS), Set.of());
		assertThat(viewer.get("tasks", "q", "default", "state", "pending").toString()).doesNotContain("secret");
		JsonNode task = viewer.get("task", "q", "default", "id", "t1");
		assertThat(task.toString()).doesNotContain("secret", "c2VjcmV0");
		assertThat(task.path("payload").path("shown").asBoolean()).isFalse();
		assertThat(task.path("payload").path("size").asInt()).isEqualTo(6);
		for (String filter : List.of("payload:secret", "header:tenant=secret", "header:tenant")) {
			assertThat(Calls
				.code(catchThrowable(() -> viewer.get("tasks", "q", "default", "state", "pending", "filter", filter))))
				.isEqualTo("403 forbidden");
			assertThat(Calls.code(catchThrowable(
					() -> viewer.post("tasks/preview", "q", "default", "state", "pending", "filter", filter))))
				.isEqualTo("403 forbidden");
		}
		assertThat(Calls.code(catchThrowable(() -> viewer.file("payload", "q", "default", "id", "t1"))))
			.isEqualTo("403 forbidden");
		assertThat(
				new String(viewer.file("export", "q", "default", "state", "pending").content(), StandardCharsets.UTF_8))
			.contains("t1")
			.doesNotContain("secret");
	}

	@Test
	void queuesThatSomebodyMayNotSeeAreLeftOut() {
		this.state.seedArchived(Instant.now(), failed("hidden", "t1", "boom"), failed("shown", "t2", "boom"));
		Calls viewer = this.views.calls(Set.of(), Set.of("hidden"));
		for (String name : List.of("overview", "queues", "failures", "servers", "schedulers")) {
			assertThat(viewer.get(name).toString()).as(name).doesNotContain("\"hidden\"");
		}
		assertThat(viewer.get("overview").path("totals").path("archived").asInt()).isEqualTo(1);
		assertThat(viewer.get("search", "text", "t1").path("tasks")).isEmpty();
		assertThat(viewer.post("tasks/preview", "state", "archived").path("count").asInt()).isEqualTo(1);
	}

	@Test
	void sanitizersAndFormattersSayWhatIsShown() {
		this.views.close();
		this.views = new Views(this.factory, Map.of(),
				(content) -> new String(content.bytes(), StandardCharsets.UTF_8).replace("47-11", "****")
					.getBytes(StandardCharsets.UTF_8),
				(content) -> content.type().equals("proto") ? "card " + new String(content.bytes()) : null);
		this.calls = this.views.calls();
		this.views.enqueue("default", "plain", "a", "card 47-11");
		this.views.enqueue("default", "proto", "b", "47-11");
		assertThat(this.calls.get("tasks", "q", "default", "state", "pending").toString()).contains("card ****")
			.doesNotContain("47-11");
		assertThat(this.calls.get("task", "q", "default", "id", "a").path("payload").path("text").asString())
			.isEqualTo("card ****");
		assertThat(this.calls.get("task", "q", "default", "id", "a").path("payload").path("sanitized").asBoolean())
			.isTrue();
		JsonNode formatted = this.calls.get("task", "q", "default", "id", "b").path("payload");
		assertThat(formatted.path("format").asString()).isEqualTo("formatted");
		assertThat(formatted.path("text").asString()).isEqualTo("card ****");
		assertThat(this.calls.file("payload", "q", "default", "id", "a").content()).isEqualTo(bytes("card ****"));
	}

	@Test
	void whatSanitizerCannotCleanIsNotShown() {
		this.views.close();
		this.views = new Views(this.factory, Map.of(), (content) -> {
			throw new IllegalStateException("no");
		}, null);
		this.calls = this.views.calls();
		this.views.enqueue("default", "plain", "a", "secret");
		assertThat(this.calls.get("tasks", "q", "default", "state", "pending").toString()).doesNotContain("secret");
		JsonNode payload = this.calls.get("task", "q", "default", "id", "a").path("payload");
		assertThat(payload.path("shown").asBoolean()).isFalse();
		assertThat(payload.path("reason").asString()).isEqualTo("sanitizer-failed");
		assertThat(Calls.code(catchThrowable(() -> this.calls.file("payload", "q", "default", "id", "a"))))
			.isEqualTo("403 forbidden");
	}

	@Test
	void formatterThatThrowsIsAsIfItWereNotThere() {
		this.views.close();
		this.views = new Views(this.factory, Map.of(), null, (content) -> {
			throw new IllegalStateException("no");
		});
		this.views.enqueue("default", "plain", "a", "text");
		assertThat(this.views.calls().get("task", "q", "default", "id", "a").path("payload").path("text").asString())
			.isEqualTo("text");
	}

	private static TaskMessage failed(String queue, String id, String error) {
		return RedisState.message(queue, id)
			.errorMessage(error)
			.lastFailedAtSeconds(Instant.now().getEpochSecond())
			.build();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
