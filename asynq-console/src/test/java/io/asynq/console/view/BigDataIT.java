package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.asynq.console.http.Calls;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.Slowlog;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long each screen's data takes when there is very much, and how long that keeps
 * Redis from its other work.
 */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BigDataIT {

	private static final int QUEUES = 1000;

	private static final int TASKS = 1_000_000;

	private static final int GROUPS = 100_000;

	private static final int ARCHIVED = 10_000;

	private static final int ROUNDS = 4;

	/** A second is what is wanted, and is printed; a busy machine may take longer. */
	private static final Duration GENEROUS = Duration.ofSeconds(5);

	private final Map<String, Duration> took = new LinkedHashMap<>();

	private TestRedis redis;

	private JedisConnectionFactory factory;

	private Calls calls;

	@BeforeAll
	void fill() {
		this.redis = TestRedis.startOwn("slowlog-log-slower-than 10000", "slowlog-max-len 1000");
		this.factory = RedisExtension.connectionFactory(this.redis);
		RedisState state = new RedisState(this.factory);
		state.seedMany("million", "pending", TASKS, 0);
		for (int i = 0; i < QUEUES - 3; i++) {
			String queue = String.format("q%04d", i);
			state.redis().opsForSet().add("asynq:queues", queue);
			state.redis().opsForValue().set("asynq:{" + queue + "}:processed", "5");
		}
		groups(state);
		failures(state);
	}

	@AfterAll
	void tell() {
		this.took.forEach((name, time) -> System.out.println("Took " + time.toMillis() + " ms: " + name));
		this.factory.destroy();
		this.redis.stop();
	}

	/**
	 * What other programs do to this machine is not slow each time: only what always is
	 * counts.
	 */
	@Test
	void eachScreenIsThereSoonAndKeepsRedisBusyForMilliseconds() {
		Set<String> always = null;
		for (int round = 0; round < ROUNDS; round++) {
			try (Views fresh = new Views(this.factory); Jedis jedis = this.redis.node().connect()) {
				jedis.slowlogReset();
				this.calls = fresh.calls();
				openEachScreen();
				Set<String> slow = slow(jedis);
				if (always == null) {
					always = slow;
				}
				always.retainAll(slow);
			}
		}
		assertThat(always).as("scripts that kept Redis busy for more than 10 ms each time").isEmpty();
		this.took.forEach((name, time) -> assertThat(time).as(name).isLessThan(GENEROUS));
	}

	private void openEachScreen() {
		JsonNode overview = time("overview", () -> this.calls.get("overview"));
		assertThat(overview.path("queueCount").asInt()).isEqualTo(QUEUES);
		assertThat(overview.path("totals").path("pending").asInt()).isEqualTo(TASKS);
		time("queues", () -> this.calls.get("queues"));
		time("history of all queues, 90 days", () -> this.calls.get("history", "days", "90"));
		time("queue of a million", () -> this.calls.get("queue", "q", "million"));
		JsonNode first = time("first page of a million",
				() -> this.calls.get("tasks", "q", "million", "state", "pending"));
		assertThat(first.path("entries")).hasSize(30);
		time("page in the middle of a million",
				() -> this.calls.get("tasks", "q", "million", "state", "pending", "cursor", "500000", "size", "200"));
		JsonNode filtered = time("filter of a million",
				() -> this.calls.get("tasks", "q", "million", "state", "pending", "filter", "payload:nothing"));
		assertThat(filtered.path("scanned").asInt()).isEqualTo(10_000);
		assertThat(filtered.path("total").asInt()).isEqualTo(TASKS);
		assertThat(filtered.path("complete").asBoolean()).isFalse();
		time("queue of 100,000 groups", () -> this.calls.get("queue", "q", "grouped"));
		JsonNode groups = time("the first of 100,000 groups", () -> this.calls.get("groups", "q", "grouped"));
		assertThat(groups.path("next").asString("")).isNotEmpty();
		JsonNode group = time("page of a group",
				() -> this.calls.get("tasks", "q", "grouped", "state", "aggregating", "group", "g00007"));
		assertThat(group.path("entries")).hasSize(1);
		JsonNode failures = time("failures", () -> this.calls.get("failures"));
		assertThat(failures.path("scanned").asInt()).isBetween(9_000, 10_000);
		assertThat(failures.path("groupCount").asInt()).isEqualTo(50);
		time("preview of a group of failures",
				() -> this.calls.post("tasks/preview", "states", List.of("archived"), "failures",
						List.of(Map.of("type", failures.path("groups").get(0).path("type").asString(), "error",
								failures.path("groups").get(0).path("signature").asString()))));
		time("preview of all", () -> this.calls.post("tasks/preview", "q", "million", "state", "pending"));
		time("servers", () -> this.calls.get("servers"));
		time("counts of a queue", () -> this.calls.get("counts", "q", "million"));
		time("periodic", () -> this.calls.get("schedulers"));
		time("jobs", () -> this.calls.get("jobs"));
		time("redis", () -> this.calls.get("redis"));
		JsonNode examined = time("doctor, first part of a million", () -> this.calls.get("diagnosis", "q", "million"));
		assertThat(examined.path("next").asString("")).isNotEmpty();
		time("search", () -> this.calls.get("search", "text", "t00005"));
		time("task", () -> this.calls.get("task", "q", "million", "id", "t00005"));
		time("export", () -> this.calls.file("export", "q", "failed", "state", "archived").content().length);
	}

	private static Set<String> slow(Jedis jedis) {
		Set<String> slow = new HashSet<>();
		for (Slowlog entry : jedis.slowlogGet(1000)) {
			String text = String.valueOf(entry.getArgs());
			slow.add(text.substring(0, Math.min(300, text.length())));
		}
		return slow;
	}

	private <T> T time(String name, Supplier<T> call) {
		Instant before = Instant.now();
		T answer = call.get();
		this.took.merge(name, Duration.between(before, Instant.now()),
				(one, other) -> (one.compareTo(other) < 0) ? one : other);
		return answer;
	}

	private static void groups(RedisState state) {
		for (int from = 0; from < GROUPS; from += 2000) {
			StringBuilder script = new StringBuilder();
			script.append("for i = ARGV[1], ARGV[1] + 1999 do local g = string.format('g%05d', i)"
					+ " redis.call('SADD', KEYS[1], g) redis.call('ZADD', KEYS[1]:sub(1, -7) .. 'g:' .. g, 1, 'in' .. g)"
					+ " end return 1");
			String begin = String.valueOf(from);
			state.redis()
				.execute((connection) -> connection.scriptingCommands()
					.eval(bytes(script.toString()), org.springframework.data.redis.connection.ReturnType.INTEGER, 1,
							bytes("asynq:{grouped}:groups"), bytes(begin)),
						true);
		}
		state.seedGrouped(Instant.now(), RedisState.message("grouped", "ing00007").group("g00007").build());
		state.redis().opsForSet().add("asynq:queues", "grouped");
	}

	private static void failures(RedisState state) {
		long now = Instant.now().getEpochSecond();
		List<TaskMessage> batch = new ArrayList<>();
		for (int i = 0; i < ARCHIVED - 1; i++) {
			batch.add(RedisState.message("failed", "f" + i)
				.errorMessage("signature " + (char) ('a' + i % 25) + (i % 50 < 25 ? "x" : "y") + " order " + i
						+ " at 10.0.0." + (i % 250) + ":5432")
				.lastFailedAtSeconds(now - i)
				.build());
		}
		state.seedArchived(Instant.ofEpochSecond(now), batch.toArray(TaskMessage[]::new));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
