package io.asynq.console.browser;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.test.redis.RedisNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import redis.clients.jedis.Jedis;

import static org.awaitility.Awaitility.await;

/**
 * What is in Redis when the browser comes: tasks of Java and Go in every state, failures
 * whose texts differ, data that contradicts itself, and names that are an attack.
 */
final class Story {

	/** More than can be changed without typing the queue's name. */
	static final int MANY = 150;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	/** What would run if any of it were taken for markup. */
	private static final List<String> HOSTILE = List.of("<img src=x onerror=\"window.attacked=1\">",
			"\"/><script>window.attacked=1</script>", "a/b#c%d?e<f>\"g'&h=i", "../../etc/passwd", "line\nbreak\ttab",
			"{{constructor.constructor('window.attacked=1')()}}", "javascript:window.attacked=1", "=cmd|' /C calc'!A0",
			"\uD83E\uDD8A\uD83D\uDD25 \u202Etxt.exe", "x".repeat(1024));

	private final RedisNode redis;

	private final RedisBroker broker;

	private final AsynqClient java;

	private final GoSide go;

	Story(RedisNode redis, RedisConnectionFactory connections, GoSide go) {
		this.redis = redis;
		this.go = go;
		this.broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		this.java = AsynqClient.create(this.broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
	}

	/** Enqueues tasks of all states; the servers of both sides must run already. */
	void tellOfWork() {
		tellOfJava();
		tellOfGo();
		count("archived", "default", 12);
		count("retry", "default", 12);
		count("completed", "default", 8);
		count("retry", "go-mail", 12);
		count("archived", "go-mail", 4);
		active("default", "packing-1", "packing-2");
		active("go-mail", "held-1", "held-2");
	}

	/** Puts attacks, damage and tasks that wait for a limit besides. */
	void tellOfTrouble() {
		tellOfAttacks();
		tellOfDamage();
		new LimitSeeds(this.broker).concurrent("pdf", 1)
			.concurrent("tenant", 2)
			.hold("digest", "renders-1", "pdf", "tenant:acme")
			.park("digest", "waits-1", "pdf", "tenant:acme");
	}

	/** Starts Go's server and scheduler. */
	void startGo() {
		this.go
			.call("server.start", Map.of("name", "mailer", "concurrency", 10, "queues", Map.of("go-mail", 3, "low", 1),
					"taskCheckMs", 200, "delayedCheckMs", 1000, "retryDelayMs", 3_600_000, "behaviours",
					Map.of("mail:bounce",
							Map.of("do", "fail", "message", "dial tcp 10.0.0.7:25: connect: connection refused"),
							"mail:reject", Map.of("do", "skip", "message", "550 no such user <b>here</b>"), "mail:hold",
							Map.of("do", "block"), "mail:deliver", Map.of("do", "ok", "result", base64("250 ok")))));
		this.go.call("scheduler.start",
				Map.of("name", "clock", "heartbeatMs", 1000, "entries",
						List.of(Map.of("spec", "*/5 * * * *", "task", task("mail:digest", "go-mail", Map.of())),
								Map.of("spec", "@every 2s", "task", task("mail:tick", "go-mail", Map.of())))));
	}

	private void tellOfJava() {
		IntStream.range(1, 13).forEach((n) -> {
			this.java.enqueue("order:charge", Map.of("number", n), (o) -> o.maxRetry(0));
			this.java.enqueue("order:charge", Map.of("number", 100 + n), (o) -> o.maxRetry(5));
		});
		IntStream.range(0, 8)
			.forEach((n) -> this.java.enqueue("mail:send", Map.of("number", n),
					(o) -> o.taskId("sent-" + n).retention(Duration.ofHours(1))));
		this.java.enqueue("order:pack", Map.of("number", 1), (o) -> o.taskId("packing-1").timeout(Duration.ofHours(1)));
		this.java.enqueue("order:pack", Map.of("number", 2), (o) -> o.taskId("packing-2").timeout(Duration.ofHours(1)));
		this.java.enqueue("order:stuck", Map.of("number", 3),
				(o) -> o.taskId("stuck-1").timeout(Duration.ofSeconds(1)));
		IntStream.range(0, 5)
			.forEach((n) -> this.java.enqueue("order:remind", Map.of("number", n, "customer", "ada@example.com"),
					(o) -> o.taskId("remind-" + n).processIn(Duration.ofHours(2)).unique(Duration.ofHours(3))));
		this.java.enqueueAll(
				IntStream.range(0, MANY).mapToObj((n) -> Task.of("report:build", "{\"month\":" + n + "}")).toList(),
				TaskOptions.of((o) -> o.queue("reports")));
		IntStream.range(0, 9)
			.forEach((n) -> this.java.enqueue("sale", Map.of("amount", n),
					(o) -> o.queue("digest").group("shop-" + n % 3)));
		this.java.enqueue("export:run", Map.of("a", 1), (o) -> o.queue("frozen"));
		this.redis.call((jedis) -> jedis.set("asynq:{frozen}:paused",
				String.valueOf(Instant.now().minus(Duration.ofDays(8)).getEpochSecond())));
		this.java.enqueue("legacy:import", Map.of("file", "orders.csv"), (o) -> o.taskId("unknown-1"));
	}

	private void tellOfGo() {
		for (int n = 0; n < 12; n++) {
			enqueue("mail:bounce", "go-mail", Map.of("taskId", "bounced-" + n));
		}
		for (int n = 0; n < 4; n++) {
			enqueue("mail:reject", "go-mail", Map.of("taskId", "rejected-" + n));
		}
		enqueue("mail:hold", "go-mail", Map.of("taskId", "held-1", "timeoutMs", 3_600_000));
		enqueue("mail:hold", "go-mail", Map.of("taskId", "held-2", "timeoutMs", 3_600_000));
		enqueue("mail:deliver", "go-mail",
				Map.of("taskId", "delivered-1", "retentionMs", 3_600_000, "headers", Map.of("tenant", "acme")));
	}

	private void tellOfAttacks() {
		for (int n = 0; n < HOSTILE.size(); n++) {
			String text = HOSTILE.get(n);
			this.go.call("enqueue", Map.of("type", text, "queue", "hostile", "taskId", text, "payload", base64(text),
					"headers", Map.of("name", text)));
		}
		// Ids are bytes in Redis, and nobody promises that they are UTF-8
		try (Jedis jedis = this.redis.connect()) {
			byte[] id = { (byte) 0xff, (byte) 0xfe, '!' };
			byte[] message = jedis.hget(bytes(key("hostile", "t:../../etc/passwd")), bytes("msg"));
			byte[] prefix = bytes(key("hostile", "t:"));
			byte[] hash = new byte[prefix.length + id.length];
			System.arraycopy(prefix, 0, hash, 0, prefix.length);
			System.arraycopy(id, 0, hash, prefix.length, id.length);
			jedis.hset(hash, Map.of(bytes("msg"), message, bytes("state"), bytes("pending")));
			jedis.lpush(bytes(key("hostile", "pending")), id);
		}
	}

	private void tellOfDamage() {
		try (Jedis jedis = this.redis.connect()) {
			jedis.sadd("asynq:queues", "broken");
			jedis.lpush(key("broken", "pending"), "an-id-without-a-task", "another-one");
		}
	}

	private void count(String state, String queue, long wanted) {
		await().atMost(PATIENCE).until(() -> this.redis.call((jedis) -> jedis.zcard(key(queue, state))) >= wanted);
	}

	private void active(String queue, String... ids) {
		await().atMost(PATIENCE)
			.until(() -> this.redis.call((jedis) -> jedis.lrange(key(queue, "active"), 0, -1))
				.containsAll(List.of(ids)));
	}

	private void enqueue(String type, String queue, Map<String, ?> options) {
		this.go.call("enqueue", task(type, queue, options));
	}

	private static Map<String, Object> task(String type, String queue, Map<String, ?> options) {
		Map<String, Object> arguments = new HashMap<>(options);
		arguments.put("type", type);
		arguments.put("queue", queue);
		arguments.put("payload", base64("{\"from\":\"go\"}"));
		return arguments;
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(bytes(text));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String key(String queue, String name) {
		return "asynq:{" + queue + "}:" + name;
	}

}
