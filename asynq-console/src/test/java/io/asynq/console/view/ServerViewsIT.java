package io.asynq.console.view;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import com.google.protobuf.Timestamp;
import io.asynq.console.http.Calls;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.proto.SchedulerEntry;
import io.asynq.internal.redis.proto.ServerInfo;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;

import static io.asynq.console.view.Answers.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Who works on queues and feeds them: servers, periodic tasks, Redis itself.
 */
@ExtendWith(RedisExtension.class)
class ServerViewsIT {

	private final RedisState state;

	@AutoClose
	private final Views views;

	private final Calls calls;

	ServerViewsIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.views = new Views(factory);
		this.calls = this.views.calls();
	}

	@Test
	void queueShowsConsumersAndRetriesAhead() {
		Instant now = Instant.now();
		this.state.seedRetry(now.plusSeconds(90), RedisState.message("default", "t1").build());
		this.views.serve("default", Set.of("x"), "other", now, now.plusSeconds(60));
		JsonNode queue = this.calls.get("queue", "q", "default");
		assertThat(queue.path("info").path("sizes").path("retry").asInt()).isEqualTo(1);
		assertThat(queue.path("retriesAhead")).hasSize(30);
		assertThat(queue.path("retriesAhead").get(1).path("count").asInt()
				+ queue.path("retriesAhead").get(0).path("count").asInt())
			.isEqualTo(1);
		assertThat(queue.path("memoryUsage").asLong()).isPositive();
		assertThat(queue.path("place").isNull()).isTrue();
		assertThat(queue.path("consumers").get(0).path("weight").asInt()).isEqualTo(3);
		assertThat(queue.path("consumers").get(0).path("busy").asInt()).isEqualTo(1);
		assertThat(Calls.code(catchThrowable(() -> this.calls.get("queue", "q", "nobody")))).isEqualTo("404 not-found");
	}

	@Test
	void serversShowWhatTheyServeAndWhichQueuesHaveNone() {
		Instant now = Instant.now();
		this.views.enqueue("orphan", "x", "a", "{}");
		this.views.serve("default", Set.of("mail"), "t1", now, now.plusSeconds(60));
		JsonNode answer = this.calls.get("servers");
		JsonNode server = answer.path("servers").get(0);
		assertThat(server.path("id").asString()).isEqualTo("uuid");
		assertThat(server.path("java").asBoolean()).isTrue();
		assertThat(server.path("here").asBoolean()).isFalse();
		assertThat(texts(server.path("types"))).containsExactly("mail");
		assertThat(server.path("workers").get(0).path("task").path("payload").isNull()).isTrue();
		assertThat(server.path("held").toString()).isEqualTo("{\"default\":4,\"secret\":2}");
		Calls some = this.views.calls(Set.of(), Set.of("secret"));
		assertThat(some.get("servers").path("servers").get(0).path("held").toString()).isEqualTo("{\"default\":4}");
		assertThat(answer.path("coverage").get(0).path("queue").asString()).isEqualTo("orphan");
		assertThat(answer.path("coverage").get(0).path("covered").asBoolean()).isFalse();
		assertThat(answer.path("coverage").get(1).path("covered").asBoolean()).isTrue();
	}

	@Test
	void whoMayChangeSomeQueuesOnlyMakesNoServerQuiet() {
		this.views.serve("default", Set.of("mail"), "t1", Instant.now(), Instant.now().plusSeconds(60));
		Calls calls = this.views
			.calls(new ConsoleCaller("owner of default", (right, queue) -> "default".equals(queue)));
		for (String change : List.of("server/quiet", "server/resume")) {
			assertThat(Calls.code(catchThrowable(() -> calls.post(change, "q", "default", "id", "uuid"))))
				.isEqualTo("403 forbidden");
		}
		assertThat(this.state.redis().keys("asynqj:wish:*")).isEmpty();
		assertThat(this.views.calls().post("server/quiet", "id", "uuid").path("quiet").asBoolean()).isTrue();
		assertThat(this.state.redis().keys("asynqj:wish:*")).hasSize(1);
	}

	@Test
	void limitsShowWhatIsHeldAndWaits() {
		seedLimits();
		JsonNode limits = this.calls.get("servers").path("limits");
		assertThat(texts(limits, "name")).containsExactly("pdf", "tenant");
		assertThat(limits.get(0).path("concurrent").asInt()).isOne();
		assertThat(limits.get(0).path("held").asInt()).isOne();
		assertThat(limits.get(0).path("waiting").asInt()).isEqualTo(2);
		JsonNode keys = this.calls.get("limit-keys", "id", "tenant").path("entries");
		assertThat(texts(keys, "key")).containsExactly("acme");
		assertThat(keys.get(0).path("waiting").asInt()).isOne();
	}

	@Test
	void limitsAreNotShownToThoseWhoMayNotSeeAllQueues() {
		seedLimits();
		this.views.enqueue("secret", "x", "s", "{}");
		Calls some = this.views.calls(Set.of(), Set.of("secret"));
		assertThat(some.get("servers").path("limits")).isEmpty();
		assertThat(Calls.code(catchThrowable(() -> some.get("limit-keys", "id", "tenant")))).isEqualTo("403 forbidden");
	}

	private void seedLimits() {
		new LimitSeeds(this.views.broker).concurrent("pdf", 1)
			.concurrent("tenant", 2)
			.hold("default", "a", "pdf", "tenant:acme")
			.park("default", "b", "pdf", "tenant:acme")
			.park("default", "c", "pdf");
	}

	@Test
	void serversAndPeriodicTasksOfGoShow() {
		Instant now = Instant.now();
		this.state.seedServer("gohost:9:go-id", now.plusSeconds(10),
				ServerInfo.newBuilder()
					.setHost("gohost")
					.setPid(9)
					.setServerId("go-id")
					.setConcurrency(4)
					.putQueues("default", 1)
					.setStatus("active")
					.build()
					.toByteArray());
		this.state.seedScheduler("asynq:schedulers:{gohost:9:x}", now.plusSeconds(10),
				entry("6ba7b810-9dad-41d1-80b4-00c04fd430c8", "@every 30s", now),
				entry("java-entry", "0 8 * * *", now));
		JsonNode server = this.calls.get("servers").path("servers").get(0);
		assertThat(server.path("java").asBoolean()).isFalse();
		assertThat(server.path("types").isNull()).isTrue();
		assertThat(server.path("host").asString()).isEqualTo("gohost");
		JsonNode entries = this.calls.get("schedulers").path("entries");
		assertThat(texts(entries, "origin")).containsExactlyInAnyOrder("go", "java");
		entries.forEach((each) -> {
			assertThat(each.path("queue").asString()).isEqualTo("low");
			assertThat(each.path("nextFires")).hasSize(3);
			assertThat(each.path("here").asBoolean()).isFalse();
			assertThat(texts(each.path("options"))).containsExactly("Queue(\"low\")");
		});
		JsonNode ran = this.calls.post("scheduler/run", "id", "6ba7b810-9dad-41d1-80b4-00c04fd430c8");
		assertThat(ran.path("task").path("queue").asString()).isEqualTo("low");
		assertThat(Calls.code(catchThrowable(() -> this.calls.post("scheduler/run", "id", "none"))))
			.isEqualTo("404 not-found");
	}

	private static byte[] entry(String id, String spec, Instant next) {
		Timestamp time = Timestamp.newBuilder().setSeconds(next.getEpochSecond()).build();
		return SchedulerEntry.newBuilder()
			.setId(id)
			.setSpec(spec)
			.setTaskType("report")
			.addEnqueueOptions("Queue(\"low\")")
			.setNextEnqueueTime(time)
			.setPrevEnqueueTime(time)
			.build()
			.toByteArray();
	}

	@Test
	void redisShowsWhatItTellsOfItself() {
		JsonNode redis = this.calls.get("redis");
		assertThat(redis.path("policy").asString()).isEqualTo("noeviction");
		assertThat(redis.path("sections").path("memory").has("used_memory")).isTrue();
		assertThat(redis.path("sections").path("server").has("redis_version")).isTrue();
		assertThat(redis.path("persistence").has("aof_enabled")).isTrue();
		assertThat(redis.path("slots").isNull()).isTrue();
		assertThat(redis.path("preflight").isArray()).isTrue();
	}

}
