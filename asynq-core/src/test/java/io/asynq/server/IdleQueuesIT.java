package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.Task;
import io.asynq.group.GroupLimits;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.redis.CommandWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a server with several queues sends to Redis while most of them have nothing to do.
 */
@Timeout(300)
class IdleQueuesIT {

	private static final Pattern QUEUE = Pattern.compile("asynqj?:\\{(q\\d+)\\}");

	private static final Duration SHORT = Duration.ofMillis(200);

	private final TestRedis redis = TestRedis.startOwn();

	private final JedisConnectionFactory factory = RedisExtension.connectionFactory(this.redis);

	private final RedisState state = new RedisState(this.factory);

	private final Queue<String> sent = new ConcurrentLinkedQueue<>();

	private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

	@AfterEach
	void stop() {
		this.factory.destroy();
		this.redis.stop();
	}

	@Test
	void eachRoundOverIdleQueuesIsOneCommand() throws Exception {
		List<String> queues = queues(20);
		try (TestServer server = server(queues, IdleQueuesIT::fast).start(); CommandWatch watch = watchIdle(20)) {
			for (String queue : List.of("q3", "q7", "q11")) {
				server.schedule(message(queue, "t1").build(), Instant.now().minusSeconds(60));
				assertThat(next()).isEqualTo(queue + " email:send");
			}
			// The looks at these queues have come apart, and come together again
			awaitLooks("scheduled", queues.size());
			this.sent.clear();
			for (String loop : List.of("scheduled", "lease", "completed", "groups")) {
				awaitLooks(loop, 1);
			}
		}
		// The processor may still make its first fetches
		assertThat(this.sent).filteredOn((command) -> !command.contains("}:pending\""))
			.filteredOn((command) -> !queuesOf(command).isEmpty())
			.isNotEmpty()
			.allSatisfy((command) -> assertThat(queuesOf(command)).as(command).hasSameSizeAs(queues));
	}

	@Test
	void queueWithKeysOfWrongTypeHarmsNoOther() throws Exception {
		for (String key : List.of("scheduled", "retry", "lease", "active", "completed", "groups", "aggregation_sets")) {
			this.state.redis().opsForValue().set("asynq:{q1}:" + key, "text");
		}
		try (TestServer server = server(queues(10), IdleQueuesIT::fast).start()) {
			// Twice: the second time each loop has completed its round
			for (String round : List.of("first", "second")) {
				seedWork(round);
				assertThat(List.of(next(), next(), next())).as(round)
					.containsExactlyInAnyOrder("q0 email:send", "q2 email:send", "q5 joined");
				await(round).untilAsserted(() -> {
					assertThat(this.state.scores("q3", "retry")).containsKey(round + "-lost");
					this.state.assertCompleted("q4");
				});
			}
		}
	}

	@Test
	@Tag("full")
	void tenIdleServersWithTwentyQueuesRunFewerThanSixtyScriptsPerSecond() throws Exception {
		int heartbeats = 10 * 12;
		List<TestServer> servers = Stream.generate(() -> server(queues(20), UnaryOperator.identity()))
			.limit(10)
			.toList();
		try {
			servers.forEach(TestServer::start);
			try (CommandWatch watch = watchIdle(20)) {
				await().atMost(Duration.ofMinutes(3)).until(() -> count(IdleQueuesIT::isHeartbeat) >= heartbeats);
			}
		}
		finally {
			servers.forEach(TestServer::close);
		}
		// Twelve heartbeats of a server take a minute
		assertThat(count((command) -> command.contains("\"EVALSHA\""))).isLessThan(60 * 60);
		assertThat(this.sent).hasSizeLessThanOrEqualTo(10 * 5 * 60);
	}

	private static ServerOptions.Builder fast(ServerOptions.Builder options) {
		return options.delayedTaskCheckInterval(Duration.ofMillis(500))
			.recoverInterval(SHORT)
			.heartbeatInterval(Duration.ofMillis(500))
			.janitorInterval(SHORT)
			.groupLimits(GroupLimits.defaults().withMaxSize(1).withGracePeriod(Duration.ofSeconds(1)));
	}

	private TestServer server(List<String> queues, UnaryOperator<ServerOptions.Builder> settings) {
		return TestServer.builder(this.factory).options((options) -> {
			queues.forEach((queue) -> options.queue(queue, 1));
			return settings.apply(options);
		}).aggregator((queue, group, tasks) -> Task.of("joined", group)).handling((task, context) -> {
			this.handled.add(context.queue() + " " + task.type());
			return null;
		});
	}

	/**
	 * Watches from when the looks at the start are over: pending, paused, scheduled and
	 * retry of all queues are watched, and the first sweep has ended.
	 */
	private CommandWatch watchIdle(int queues) throws InterruptedException {
		CommandWatch watch = this.redis.node().watch((command) -> {
			if (!command.contains(" lua]") && !command.contains("\"INFO\"")) {
				this.sent.add(command);
			}
		});
		await()
			.until(() -> this.redis.node().info("stats").get("tracking_total_keys").equals(String.valueOf(4 * queues)));
		await().until(() -> count((command) -> command.contains("}:completed\"")) > 0
				&& count((command) -> command.contains("}:lease\"")) > 0);
		this.sent.clear();
		return watch;
	}

	/**
	 * Waits until a loop has looked twice at so many queues at once, at least.
	 */
	private void awaitLooks(String key, int queues) {
		await(key).until(() -> count((command) -> command.contains("}:" + key + "\"") && command.contains("\"EVALSHA\"")
				&& queuesOf(command).size() >= queues) >= 2);
	}

	private void seedWork(String round) {
		Instant past = Instant.now().minusSeconds(3600);
		this.state.seedScheduled(past, message("q0", round + "-scheduled").build());
		this.state.seedRetry(past, message("q2", round + "-retry").build());
		this.state.seedActive(past, message("q3", round + "-lost").build());
		this.state.seedCompleted(past, message("q4", round + "-completed").build());
		this.state.seedGrouped(past, message("q5", round + "-grouped").group(round).build());
	}

	private String next() throws InterruptedException {
		return String.valueOf(this.handled.poll(60, TimeUnit.SECONDS));
	}

	private long count(Predicate<String> which) {
		return this.sent.stream().filter(which).count();
	}

	private static boolean isHeartbeat(String command) {
		return command.contains("\"EVALSHA\"") && command.contains("\"asynq:servers:{");
	}

	private static Set<String> queuesOf(String command) {
		return QUEUE.matcher(command).results().map((MatchResult found) -> found.group(1)).collect(Collectors.toSet());
	}

	private static List<String> queues(int number) {
		return IntStream.range(0, number).mapToObj((i) -> "q" + i).toList();
	}

	private static TaskMessage.Builder message(String queue, String id) {
		return RedisState.message(queue, id);
	}

}
