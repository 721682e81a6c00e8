package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.broker.fleet.ServerIdentity;
import io.asynq.broker.fleet.ServerSnapshot;
import io.asynq.broker.fleet.WorkerSnapshot;
import io.asynq.broker.message.QueueWeights;
import io.asynq.broker.redis.RedisState;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.Calls;
import io.asynq.console.http.ConsoleFile;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What each screen shows, on a real Redis.
 */
@ExtendWith(RedisExtension.class)
class ViewsIT {

	private static final String HTML = "<img src=x onerror=alert(1)>";

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
	void listsTasksByFilter() {
		enqueue("default", "mail:send", "a", "{\"to\":1}");
		enqueue("default", "report", "b", "{}");
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
		enqueue("default", "x", "a", "{}");
		Map<String, String> parameters = new java.util.LinkedHashMap<>(Map.of("q", "default", "state", "pending"));
		parameters.put(name, value);
		List<Object> flat = new ArrayList<>();
		parameters.forEach((key, each) -> {
			flat.add(key);
			flat.add(each);
		});
		assertThat(Calls.code(catchThrowable(() -> this.calls.get("tasks", flat.toArray())))).isEqualTo(code);
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
		serve("default", Set.of("email:send"), "t1", now, now.plusSeconds(60));
		JsonNode answer = this.calls.get("task", "q", "default", "id", "t1");
		assertThat(answer.path("lease").path("valid").asBoolean()).isTrue();
		assertThat(answer.path("worker").path("host").asString()).isEqualTo("host");
		assertThat(Instant.parse(answer.path("worker").path("deadline").asString())).isEqualTo(now.plusSeconds(60));
		JsonNode line = this.calls.get("tasks", "q", "default", "state", "active").path("entries").get(0);
		assertThat(line.path("server").asString()).isEqualTo("uuid");
		assertThat(Instant.parse(line.path("startedAt").asString())).isEqualTo(now);
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
				(content) -> new String(content.bytes(), StandardCharsets.UTF_8).replace("4711", "****")
					.getBytes(StandardCharsets.UTF_8),
				(content) -> content.type().equals("proto") ? "card " + new String(content.bytes()) : null);
		this.calls = this.views.calls();
		enqueue("default", "plain", "a", "card 4711");
		enqueue("default", "proto", "b", "4711");
		assertThat(this.calls.get("tasks", "q", "default", "state", "pending").toString()).contains("card ****")
			.doesNotContain("4711");
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
		enqueue("default", "plain", "a", "secret");
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
		enqueue("default", "plain", "a", "text");
		assertThat(this.views.calls().get("task", "q", "default", "id", "a").path("payload").path("text").asString())
			.isEqualTo("text");
	}

	static List<String> hostileNames() {
		return List.of("a/b", "#", "%2F", "?q=1", "\"quoted\"", "it's", HTML, "two\nlines", "😀", "x".repeat(1024),
				"{}", "..", "a\u2028b", " blank ", "a,b", "=1+1");
	}

	@ParameterizedTest
	@MethodSource("hostileNames")
	void namesMayContainAnything(String name) {
		enqueue(name, name, name, name);
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
		enqueue("default", "x", "a", "{}");
		byte[] broken = { 'q', (byte) 0xFF };
		this.state.redis().execute((org.springframework.data.redis.core.RedisCallback<Object>) (connection) -> {
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

	@Test
	void commandsForShellsKeepNamesAsText() {
		enqueue("it's", "x", "$(rm -rf /)", "{}");
		JsonNode commands = this.calls.get("task", "q", "it's", "id", "$(rm -rf /)").path("commands");
		assertThat(commands.path("cli").asString())
			.isEqualTo("asynq task inspect --queue='it'\\''s' --id='$(rm -rf /)'");
		assertThat(commands.path("curl").asString()).contains("--data-urlencode 'id=$(rm -rf /)'");
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
	void overviewSaysWhatNeedsAttention() {
		Instant now = Instant.now();
		enqueue("orphan", "x", "a", "{}");
		this.state.seedScheduled(now.plusSeconds(3600), RedisState.message("later", "t1").build());
		this.state.redis().opsForSet().add("asynq:queues", "paused");
		this.state.redis()
			.opsForValue()
			.set("asynq:{paused}:paused", String.valueOf(now.minus(Duration.ofDays(2)).getEpochSecond()));
		this.state.seedMany("full", "archived", 9000, now.getEpochSecond());
		this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled", "lost:type", 0);
		this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled:lost:type", "a", 1);
		this.state.seedActive(now.plusSeconds(30), RedisState.message("served", "hangs").build());
		serve("served", Set.of("x"), "hangs", now.minusSeconds(3600), now.minusSeconds(1800));
		this.state.redis().opsForZSet().add("asynq:servers", "asynq:servers:{gone:1:x}", now.getEpochSecond() - 60.0);
		JsonNode overview = this.calls.get("overview");
		Map<String, JsonNode> byKind = new java.util.TreeMap<>();
		overview.path("attention")
			.forEach((one) -> byKind.put(one.path("kind").asString() + " " + one.path("queue").asString(""), one));
		assertThat(byKind).containsKeys("queue-without-consumer orphan", "queue-without-consumer later",
				"paused-long paused", "archive-near-cap full", "type-without-handler orphan", "stuck-handler served",
				"dead-server ");
		assertThat(byKind).doesNotContainKey("queue-without-consumer served");
		assertThat(byKind.get("queue-without-consumer orphan").path("severity").asString()).isEqualTo("error");
		assertThat(byKind.get("queue-without-consumer later").path("severity").asString()).isEqualTo("warning");
		assertThat(byKind.get("type-without-handler orphan").path("type").asString()).isEqualTo("lost:type");
		assertThat(byKind.get("stuck-handler served").path("screen").path("params").path("id").asString())
			.isEqualTo("hangs");
		assertThat(overview.path("attention").get(0).path("severity").asString()).isEqualTo("error");
		assertThat(overview.path("servers").asInt()).isEqualTo(1);
		assertThat(overview.path("redis").path("version").asString()).isNotEmpty();
		overview.path("queues")
			.forEach((queue) -> assertThat(queue.path("hasConsumer").asBoolean())
				.isEqualTo(queue.path("queue").asString().equals("served")));
	}

	@Test
	void overviewShowsTheNewestFailuresOfAllQueues() {
		Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
		for (int i = 0; i < 8; i++) {
			this.state.seedArchived(now.minusSeconds(i),
					RedisState.message("a", "a" + i)
						.errorMessage("boom")
						.lastFailedAtSeconds(now.getEpochSecond() - i)
						.build());
			this.state.seedRetry(now.plusSeconds(100 - i),
					RedisState.message("b", "b" + i)
						.errorMessage("boom")
						.lastFailedAtSeconds(now.getEpochSecond() - 4 - i)
						.build());
		}
		JsonNode newest = this.calls.get("overview").path("newestFailures");
		assertThat(newest).hasSize(10);
		assertThat(newest.get(0).path("id").asString()).isEqualTo("a0");
		assertThat(texts(newest, "id")).contains("b0", "b2").doesNotContain("b7");
	}

	@Test
	void overviewGoesOnInParts() {
		for (int i = 0; i < 450; i++) {
			this.state.redis().opsForSet().add("asynq:queues", String.format("q%03d", i));
		}
		Set<String> seen = new HashSet<>();
		String next = null;
		do {
			JsonNode part = this.calls.get("overview", "cursor", next);
			assertThat(part.path("queueCount").asInt()).isEqualTo(450);
			seen.addAll(texts(part.path("queues"), "queue"));
			next = part.path("next").isNull() ? null : part.path("next").asString();
		}
		while (next != null);
		assertThat(seen).hasSize(450);
		JsonNode queues = this.calls.get("queues", "cursor", "q199");
		assertThat(queues.path("entries").get(0).path("queue").asString()).isEqualTo("q200");
		assertThat(queues.path("next").asString()).isEqualTo("q399");
	}

	@Test
	void queueShowsConsumersAndRetriesAhead() {
		Instant now = Instant.now();
		this.state.seedRetry(now.plusSeconds(90), RedisState.message("default", "t1").build());
		serve("default", Set.of("x"), "other", now, now.plusSeconds(60));
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
	void historySumsQueues() {
		this.state.redis().opsForSet().add("asynq:queues", "a", "b");
		String today = java.time.LocalDate.now(java.time.ZoneOffset.UTC).toString();
		this.state.redis().opsForValue().set("asynq:{a}:processed:" + today, "5");
		this.state.redis().opsForValue().set("asynq:{b}:processed:" + today, "7");
		this.state.redis().opsForValue().set("asynq:{b}:failed:" + today, "2");
		JsonNode all = this.calls.get("history", "days", "90");
		assertThat(all.path("days")).hasSize(90);
		assertThat(all.path("days").get(0).path("processed").asInt()).isEqualTo(12);
		assertThat(all.path("days").get(0).path("failed").asInt()).isEqualTo(2);
		assertThat(this.calls.get("history", "q", "a", "days", "1").path("days").get(0).path("processed").asInt())
			.isEqualTo(5);
		assertThat(Calls.code(catchThrowable(() -> this.calls.get("history", "days", "91"))))
			.isEqualTo("400 parameter");
	}

	@Test
	void serversShowWhatTheyServeAndWhichQueuesHaveNone() {
		Instant now = Instant.now();
		enqueue("orphan", "x", "a", "{}");
		serve("default", Set.of("mail"), "t1", now, now.plusSeconds(60));
		JsonNode answer = this.calls.get("servers");
		JsonNode server = answer.path("servers").get(0);
		assertThat(server.path("id").asString()).isEqualTo("uuid");
		assertThat(server.path("java").asBoolean()).isTrue();
		assertThat(server.path("here").asBoolean()).isFalse();
		assertThat(texts(server.path("types"))).containsExactly("mail");
		assertThat(server.path("workers").get(0).path("task").path("payload").isNull()).isTrue();
		assertThat(answer.path("coverage").get(0).path("queue").asString()).isEqualTo("orphan");
		assertThat(answer.path("coverage").get(0).path("covered").asBoolean()).isFalse();
		assertThat(answer.path("coverage").get(1).path("covered").asBoolean()).isTrue();
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

	@Test
	void searchFindsQueuesTasksAndTypes() {
		Instant now = Instant.now();
		enqueue("Critical", "x", "the-id", "{}");
		serve("default", Set.of("mail:send"), "t1", now, now.plusSeconds(60));
		assertThat(texts(this.calls.get("search", "text", "crit").path("queues"))).containsExactly("Critical");
		assertThat(this.calls.get("search", "text", "the-id").path("tasks").get(0).path("queue").asString())
			.isEqualTo("Critical");
		assertThat(texts(this.calls.get("search", "text", "MAIL").path("types"))).contains("mail:send");
	}

	@Test
	void serversAndPeriodicTasksOfGoShow() {
		Instant now = Instant.now();
		this.state.seedServer("gohost:9:go-id", now.plusSeconds(10),
				io.asynq.broker.redis.proto.ServerInfo.newBuilder()
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
		this.calls.post("task/update-payload", "q", "low", "id", "t1", "payload", "{\"a\":2}", "encoding", "utf8");
		assertThat(this.views.inspector.taskInfo("low", "t1").payload()).isEqualTo(bytes("{\"a\":2}"));
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

	@Test
	void nothingIsWrittenByLooking() {
		enqueue("default", "x", "a", "{}");
		this.state.seedArchived(Instant.now(), failed("default", "t1", "boom"));
		Set<String> before = this.state.redis().keys("*");
		for (String name : List.of("overview", "queues", "failures", "servers", "schedulers", "redis", "history",
				"jobs")) {
			this.calls.get(name);
		}
		this.calls.get("queue", "q", "default");
		this.calls.get("task", "q", "default", "id", "a");
		this.calls.get("tasks", "q", "default", "state", "archived", "filter", "error:boom");
		assertThat(this.state.redis().keys("*")).isEqualTo(before);
	}

	private static io.asynq.broker.message.TaskMessage failed(String queue, String id, String error) {
		return RedisState.message(queue, id)
			.errorMessage(error)
			.lastFailedAtSeconds(Instant.now().getEpochSecond())
			.build();
	}

	private void enqueue(String queue, String type, String id, String payload) {
		this.views.client.enqueue(Task.of(type, bytes(payload)),
				TaskOptions.of((options) -> options.queue(queue).taskId(id)));
	}

	private static byte[] entry(String id, String spec, Instant next) {
		com.google.protobuf.Timestamp time = com.google.protobuf.Timestamp.newBuilder()
			.setSeconds(next.getEpochSecond())
			.build();
		return io.asynq.broker.redis.proto.SchedulerEntry.newBuilder()
			.setId(id)
			.setSpec(spec)
			.setTaskType("report")
			.addEnqueueOptions("Queue(\"low\")")
			.setNextEnqueueTime(time)
			.setPrevEnqueueTime(time)
			.build()
			.toByteArray();
	}

	/** Announces a server that works on a task. */
	private void serve(String queue, Set<String> types, String taskId, Instant from, Instant deadline) {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		WorkerSnapshot worker = new WorkerSnapshot(RedisState.message(queue, taskId).build(), from, deadline);
		this.views.broker.servers()
			.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(queue, 3), true), "active", from,
					List.of(worker)), Duration.ofSeconds(60));
		this.views.broker.servers()
			.writeTypes(identity, io.asynq.broker.fleet.ServedTypes.text(types, Set.of()), Duration.ofSeconds(60));
	}

	private static List<String> ids(JsonNode answer) {
		return texts(answer.path("entries"), "id");
	}

	private static List<String> texts(JsonNode array) {
		List<String> texts = new ArrayList<>();
		array.forEach((each) -> texts.add(each.asString()));
		return texts;
	}

	private static List<String> texts(JsonNode array, String name) {
		List<String> texts = new ArrayList<>();
		array.forEach((each) -> texts.add(each.path(name).asString()));
		return texts;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
