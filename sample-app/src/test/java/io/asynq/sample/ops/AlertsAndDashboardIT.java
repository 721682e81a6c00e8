package io.asynq.sample.ops;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.asynq.AsynqClient;
import io.asynq.Task;
import io.asynq.inspect.AsynqInspector;
import io.asynq.sample.SampleApplication;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Repository;
import io.asynq.test.redis.Ports;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import redis.clients.jedis.Jedis;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A real Prometheus scrapes the sample while it works, fails, stalls, is paused and loses
 * Redis: every shipped alert fires, and every expression of the dashboard has data.
 */
@Tag("full")
class AlertsAndDashboardIT {

	private static final Path RULES = Repository.path("docs/ops/asynq-alerts.yml");

	private static final Path DASHBOARD = Repository.path("docs/ops/asynq-dashboard.json");

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final Duration POLL = Duration.ofMillis(200);

	/** One more than the least that counts as a backlog. */
	private static final int BACKLOG = 1001;

	/** The size of the application's pool, Spring Boot's default. */
	private static final int CONNECTIONS = 8;

	private static final String SERVED = "default";

	private static final String UNSERVED = "nobody";

	private static final String PAUSED = "low";

	private static final String SPOILT = "spoilt";

	private final TestRedis redis = TestRedis.startOwn();

	private final int port = Ports.free();

	private final Set<String> fired = new TreeSet<>();

	@TempDir
	private Path folder;

	private @Nullable Prometheus started;

	@BeforeEach
	void start() {
		this.started = Prometheus.start(this.folder, RULES, this.port);
	}

	@AfterEach
	void stop() {
		this.redis.stop();
		if (this.started != null) {
			this.started.close();
		}
	}

	@Test
	void everyAlertFiresAndEveryPanelHasData() throws Exception {
		awaitFiring("AsynqMetricsAbsent");
		try (ConfigurableApplicationContext sample = sample()) {
			Troubles troubles = sample.getBean(Troubles.class);
			try {
				AsynqClient client = sample.getBean(AsynqClient.class);
				fail(client);
				failPeriodically(sample.getBean(AsynqScheduler.class));
				awaitFiring("AsynqProvidersFailing");
				stall(client);
				pause(sample.getBean(AsynqInspector.class));
				loseServers(client);
				putRubbish();
				setAside(sample, client);
				loseTable(sample.getBean(JdbcTemplate.class));
				hang(client, troubles);
				awaitPanels(client);
				documentsAllSeries();
				exhaustConnections(sample.getBean(RedisConnectionFactory.class));
				exhaustWorkers(client);
				loseRedis(sample, client);
			}
			finally {
				troubles.end();
			}
		}
		assertThat(this.fired).containsExactlyInAnyOrderElementsOf(alerts());
	}

	private ConfigurableApplicationContext sample() {
		return new SpringApplicationBuilder(SampleApplication.class, Troubles.class).run(
				"--server.address=" + Ports.HOST, "--server.port=" + this.port, "--sample.orders=30",
				"--spring.data.redis.url=" + this.redis.uri(), "--spring.data.redis.timeout=2s",
				"--asynq.metrics.queues.interval=1s", "--asynq.server.heartbeat-interval=1s",
				"--asynq.server.lease-duration=3s", "--asynq.server.recover-interval=1s",
				"--asynq.server.recover-grace=1s", "--asynq.server.stuck-handler-timeout=1s",
				"--asynq.server.shutdown-timeout=1s", "--asynq.server.queues.reports.group-max-size=1",
				"--spring.threads.virtual.enabled=" + Boolean.getBoolean("asynq.test.virtual-threads"));
	}

	/**
	 * Many tasks fail and are retried, one is archived. The archive is seen empty first.
	 */
	private void fail(AsynqClient client) {
		client.enqueue(Troubles.FAIL, (o) -> o.queue(SERVED));
		await().atMost(PATIENCE)
			.pollInterval(POLL)
			.until(() -> prometheus()
				.query("asynq_tasks_enqueued_total{queue=\"" + SERVED + "\",state=\"archived\"}") > 0);
		client.enqueueAll(Collections.nCopies(BACKLOG, Task.of(Troubles.FAIL, new byte[0])));
		client.enqueue(Troubles.FAIL, (o) -> o.queue(SERVED).maxRetry(0));
		awaitFiring("AsynqErrorRateHigh", "AsynqTypeErrorRateHigh", "AsynqRetryBacklog", "AsynqTasksArchived",
				"AsynqArchiveNearlyFull");
	}

	private void failPeriodically(AsynqScheduler scheduler) {
		scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of(Troubles.FAIL, new byte[0])));
		awaitFiring("AsynqPeriodicTaskFailed");
	}

	/**
	 * Nobody works on a queue that gets more and more tasks, the first an hour ago.
	 */
	private void stall(AsynqClient client) {
		String first = client.enqueue("some:work", (o) -> o.queue(UNSERVED)).id();
		try (Jedis jedis = this.redis.node().connect()) {
			long anHourAgo = System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1);
			jedis.hset(key(UNSERVED, "t:" + first), "pending_since", anHourAgo + "000000");
		}
		awaitFiring("AsynqQueueLatencyHigh", "AsynqQueueLatencyCritical", "AsynqQueueLatencyGrowing", "AsynqNoProgress",
				"AsynqNoConsumers");
		IntStream.range(0, BACKLOG).forEach((i) -> client.enqueue("some:work", (o) -> o.queue(UNSERVED)));
		awaitFiring(() -> client.enqueue("some:work", (o) -> o.queue(UNSERVED)), "AsynqPendingGrowing",
				"AsynqMemoryHigh");
	}

	private void pause(AsynqInspector inspector) {
		inspector.pauseQueue(PAUSED);
		awaitFiring("AsynqQueuePaused");
	}

	/**
	 * Two tasks are active, and their servers are gone; for one of them it is the third
	 * server in a row.
	 */
	private void loseServers(AsynqClient client) {
		String lost = client.enqueue("some:work", (o) -> o.queue(PAUSED)).id();
		String poison = client.enqueue("some:work", (o) -> o.queue(PAUSED)).id();
		try (Jedis jedis = this.redis.node().connect()) {
			jedis.hset(key(PAUSED, "t:" + poison), Map.of("x-attempt", "fence", "x-begun", "fence", "x-server",
					"killed:7", "x-suspect", "claim", "x-crashes", "2", "x-deaths", "killed:6 2026-01-01T00:00:00Z"));
			for (String id : List.of(lost, poison)) {
				jedis.hset(key(PAUSED, "t:" + id), "state", "active");
				jedis.lrem(key(PAUSED, "pending"), 1, id);
				jedis.lpush(key(PAUSED, "active"), id);
				jedis.zadd(key(PAUSED, "lease"), 1, id);
			}
			jedis.zadd(key(UNSERVED, "lease"), 1, "of a task that nobody takes over");
		}
		awaitFiring("AsynqTasksRecovered", "AsynqTasksPoisoned", "AsynqTasksOrphaned");
	}

	private void putRubbish() {
		try (Jedis jedis = this.redis.node().connect()) {
			jedis.lpush(key(SERVED, "pending"), "an-id-without-a-task");
		}
		awaitFiring("AsynqBrokenData");
	}

	/**
	 * A row of the outbox is for a queue that cannot take it.
	 */
	private void setAside(ConfigurableApplicationContext sample, AsynqClient client) {
		try (Jedis jedis = this.redis.node().connect()) {
			jedis.set(key(SPOILT, "pending"), "no list");
			enqueueInTransaction(sample, client, SPOILT);
			awaitFiring("AsynqOutboxRowsSetAside");
			jedis.del(key(SPOILT, "pending"));
		}
	}

	private static void enqueueInTransaction(ConfigurableApplicationContext sample, AsynqClient client, String queue) {
		new TransactionTemplate(sample.getBean(PlatformTransactionManager.class)).executeWithoutResult(
				(status) -> client.afterCommit().enqueue("some:work", (options) -> options.queue(queue)));
	}

	/**
	 * A handler ignores its deadline, and the task of another one belongs to another
	 * attempt by now. A third has the only token of its limit.
	 */
	private void hang(AsynqClient client, Troubles troubles) throws InterruptedException {
		client.enqueue(Troubles.HANG, (o) -> o.queue(SERVED).timeout(Duration.ofSeconds(5)).maxRetry(0));
		String id = client.enqueue(Troubles.WAIT, (o) -> o.queue(SERVED)).id();
		assertThat(troubles.waiting().poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(id);
		try (Jedis jedis = this.redis.node().connect()) {
			jedis.hset(key(SERVED, "t:" + id), "x-attempt", "of another server");
		}
		awaitFiring("AsynqHandlersStuck", "AsynqLeasesLost");
		IntStream.range(0, 3).forEach((i) -> client.enqueue(Troubles.ALONE, (o) -> o.queue(SERVED)));
		awaitFiring("AsynqLimitStarves");
	}

	private void loseTable(JdbcTemplate database) {
		database.execute("ALTER TABLE asynq_outbox RENAME TO elsewhere");
		awaitFiring("AsynqOutboxDatabaseAway");
		database.execute("ALTER TABLE elsewhere RENAME TO asynq_outbox");
	}

	/**
	 * Threads of the application hold all of its connections, and others want one.
	 */
	private void exhaustConnections(RedisConnectionFactory connections) {
		byte[] list = "nothing".getBytes(StandardCharsets.UTF_8);
		List<CompletableFuture<?>> threads = new ArrayList<>();
		for (int i = 0; i < CONNECTIONS + 2; i++) {
			threads.add(CompletableFuture.runAsync(() -> {
				try (RedisConnection connection = connections.getConnection()) {
					connection.listCommands().bLPop(0, list);
				}
			}, new SimpleAsyncTaskExecutor("application-")));
		}
		awaitFiring("AsynqConnectionsExhausted");
		try (Jedis jedis = this.redis.node().connect()) {
			threads.forEach((thread) -> jedis.rpush(list, list));
		}
		threads.forEach(CompletableFuture::join);
	}

	/**
	 * All workers wait, and some tasks are left.
	 */
	private void exhaustWorkers(AsynqClient client) {
		IntStream.range(0, 12).forEach((i) -> client.enqueue(Troubles.WAIT, (o) -> o.queue(SERVED)));
		awaitFiring("AsynqWorkersExhausted");
	}

	/**
	 * While there are attempts that end and fail, and groups that become a task.
	 */
	private void awaitPanels(AsynqClient client) throws IOException {
		List<String> expressions = expressions();
		assertThat(expressions).hasSizeGreaterThan(50);
		await().atMost(PATIENCE).pollInterval(POLL).untilAsserted(() -> {
			client.enqueue(Troubles.FAIL, (o) -> o.queue(SERVED).maxRetry(0));
			client.enqueue("sale", Map.of("amount", 1), (o) -> o.queue("reports").group("sales"));
			assertThat(expressions)
				.allSatisfy((expression) -> assertThat(prometheus().numbers(expression)).as(expression).isPositive());
		});
	}

	/**
	 * Timers are documented by one of their three series.
	 */
	private void documentsAllSeries() throws IOException {
		String metrics = Files.readString(Repository.path("docs/metrics.md"));
		assertThat(prometheus().series()).isNotEmpty()
			.map((name) -> name.replaceFirst("_seconds_(sum|max)$", "_seconds_count"))
			.filteredOn((name) -> !Pattern.compile("`" + name + "[`{]").matcher(metrics).find())
			.isEmpty();
	}

	/**
	 * Redis hangs, and the sample is still scraped and its transactions commit.
	 */
	private void loseRedis(ConfigurableApplicationContext sample, AsynqClient client) {
		this.redis.node().pause();
		try {
			enqueueInTransaction(sample, client, UNSERVED);
			awaitFiring("AsynqMetricsStale", "AsynqHeartbeatMissed", "AsynqOutboxStalled");
			// A single scrape may come too late on a machine that stands still
			await().atMost(PATIENCE)
				.pollInterval(POLL)
				.untilAsserted(() -> assertThat(prometheus().query("up == 1")).isOne());
		}
		finally {
			this.redis.node().resume();
		}
	}

	private void awaitFiring(String... alerts) {
		awaitFiring(() -> {
		}, alerts);
	}

	private void awaitFiring(Runnable meanwhile, String... alerts) {
		await().atMost(PATIENCE).pollInterval(POLL).untilAsserted(() -> {
			meanwhile.run();
			this.fired.addAll(prometheus().firing());
			assertThat(this.fired).contains(alerts);
		});
	}

	private Prometheus prometheus() {
		return Objects.requireNonNull(this.started);
	}

	private static List<String> alerts() throws IOException {
		return Pattern.compile("- alert: (\\w+)")
			.matcher(Files.readString(RULES))
			.results()
			.map((match) -> match.group(1))
			.toList();
	}

	/**
	 * Returns the expressions of all panels, for all jobs and queues.
	 */
	private static List<String> expressions() throws IOException {
		JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(DASHBOARD));
		return dashboard.findValuesAsString("expr")
			.stream()
			.map((expression) -> expression.replace("$__rate_interval", "30s")
				.replace("$job", ".*")
				.replace("$queue", ".*"))
			.toList();
	}

	private static String key(String queue, String name) {
		return "asynq:{" + queue + "}:" + name;
	}

}
