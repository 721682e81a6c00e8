package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import io.asynq.console.http.Calls;
import io.asynq.console.http.ConsoleFile;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import tools.jackson.databind.JsonNode;

import static io.asynq.console.view.Answers.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names and texts that could be taken for something else are shown as they are.
 */
@ExtendWith(RedisExtension.class)
class HostileNamesIT {

	private static final String HTML = "<img src=x onerror=alert(1)>";

	private final RedisState state;

	@AutoClose
	private final Views views;

	private final Calls calls;

	HostileNamesIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.views = new Views(factory);
		this.calls = this.views.calls();
	}

	static List<String> hostileNames() {
		return List.of("a/b", "#", "%2F", "?q=1", "\"quoted\"", "it's", HTML, "two\nlines", "😀", "x".repeat(1024),
				"{}", "..", "a\u2028b", " blank ", "a,b", "=1+1");
	}

	@ParameterizedTest
	@MethodSource("hostileNames")
	void namesMayContainAnything(String name) {
		this.views.enqueue(name, name, name, name);
		this.state.seedArchived(Instant.now(),
				RedisState.message(name, name + "2")
					.errorMessage(name)
					.lastFailedAtSeconds(Instant.now().getEpochSecond())
					.build());
		JsonNode overview = this.calls.get("overview");
		assertThat(overview.path("queues").get(0).path("queue").asString()).isEqualTo(name);
		assertThat(overview.path("newestFailures").get(0).path("lastError").asString()).isEqualTo(name);
		JsonNode task = this.calls.get("task", "q", name, "id", name);
		assertThat(task.path("task").path("id").asString()).isEqualTo(name);
		assertThat(task.path("task").path("type").asString()).isEqualTo(name);
		assertThat(ids(this.calls.get("tasks", "q", name, "state", "pending", "filter",
				"id:\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")))
			.containsExactly(name);
		assertThat(this.calls.get("queue", "q", name).path("info").path("queue").asString()).isEqualTo(name);
		assertThat(this.calls.get("failures", "queue", name).path("groups").get(0).path("queues").has(name)).isTrue();
		assertThat(this.calls.get("history", "q", name, "days", "1").path("days")).hasSize(1);
		ConsoleFile csv = this.calls.file("export", "q", name, "state", "pending");
		assertThat(csv.name()).isEqualTo("tasks-pending.csv");
		assertThat(new String(csv.content(), StandardCharsets.UTF_8).lines().skip(1).findFirst().orElseThrow())
			.doesNotStartWith("=");
		if (!name.isBlank() && name.equals(name.strip())) {
			assertThat(this.calls.get("search", "text", name).path("tasks").get(0).path("id").asString())
				.isEqualTo(name);
		}
	}

	@Test
	void namesThatAreNotUtf8BreakNothing() {
		this.views.enqueue("default", "x", "a", "{}");
		byte[] broken = { 'q', (byte) 0xFF };
		this.state.redis().execute((RedisCallback<Object>) (connection) -> {
			connection.setCommands().sAdd(bytes("asynq:queues"), broken);
			connection.listCommands().lPush(bytes("asynq:{default}:pending"), broken);
			connection.hashCommands().hSet(bytes("asynq:{default}:t:b"), bytes("msg"), new byte[] { (byte) 0xFF });
			return connection.listCommands().lPush(bytes("asynq:{default}:pending"), bytes("b"));
		}, true);
		assertThat(this.calls.get("overview").path("queueCount").asInt()).isEqualTo(2);
		assertThat(ids(this.calls.get("tasks", "q", "default", "state", "pending"))).containsExactly("a");
		assertThat(this.calls.get("tasks", "q", "default", "state", "pending").path("total").asInt()).isEqualTo(3);
		assertThat(this.calls.get("queues").path("entries")).hasSize(2);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
