package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.BrokerException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.operations.attention.Incident;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.spring.boot.autoconfigure.TestApplication.Greetings;
import io.asynq.spring.boot.autoconfigure.TestApplication.Person;
import io.asynq.test.AclRule;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith(RedisExtension.class)
class PrometheusScrapeIT {

	private static final String OFTEN = "asynq.metrics.queues.interval=50ms";

	private static final String[] SERIES = { "asynq_queue_size", "asynq_queue_latency_seconds", "asynq_queue_failures",
			"asynq_queue_paused", "asynq_queue_paused_total", "asynq_queue_groups",
			"asynq_queue_memory_usage_approx_bytes", "asynq_queue_limit_waiting", "asynq_tasks_processed_total",
			"asynq_tasks_failed_total" };

	@Test
	void publishesQueueStateUnderKnownNames(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN)) {
			AsynqClient client = context.getBean(AsynqClient.class);
			client.enqueue("greet", new Person("Ada"));
			client.enqueue("greet", "not a person");
			client.enqueue("greet", new Person("Grace"), (options) -> options.queue("unserved"));
			context.getBean(Greetings.class).next();
			new LimitSeeds(context.getBean(RedisBroker.class)).concurrent("pdf", 3).hold("default", "a", "pdf");
			await().untilAsserted(() -> assertThat(scrape(context).lines()).contains(
					"asynq_queue_size{queue=\"default\"} 1.0", "asynq_queue_latency_seconds{queue=\"default\"} 0.0",
					"asynq_queue_failures{queue=\"default\"} 1.0", "asynq_queue_paused{queue=\"default\"} 0.0",
					"asynq_queue_paused_total{queue=\"default\"} 0.0",
					"asynq_tasks_enqueued_total{queue=\"default\",state=\"archived\"} 1.0",
					"asynq_queue_tasks{queue=\"default\",state=\"archived\"} 1.0",
					"asynq_tasks_processed_total{queue=\"default\"} 2.0",
					"asynq_tasks_failed_total{queue=\"default\"} 1.0", "asynq_queue_size{queue=\"unserved\"} 1.0",
					"asynq_queue_tasks{queue=\"unserved\",state=\"pending\"} 1.0",
					"asynq_queue_consumers{queue=\"unserved\"} 0.0",
					"asynq_queue_orphaned_tasks{queue=\"unserved\"} 0.0", "asynq_limit_concurrent{limit=\"pdf\"} 3.0",
					"asynq_limit_held{limit=\"pdf\"} 1.0", "asynq_limit_waiting{limit=\"pdf\"} 0.0",
					"asynq_limit_keys{limit=\"pdf\"} 1.0"));
			// The server counts an outcome after it has written it
			await().untilAsserted(() -> assertThat(scrape(context))
				.contains("asynq_server_workers_active 0.0", "asynq_server_leases_lost_total 0.0",
						"asynq_server_outcomes_dropped_total 0.0", "asynq_server_handlers_stuck_total 0.0",
						"asynq_stuck_handlers 0.0", "asynq_server_outcomes_unwritten 0.0",
						"asynq_server_dequeues_failed_total 0.0", "asynq_server_tasks_archived_total 1.0",
						"asynq_server_tasks_timed_out_total 0.0", "asynq_server_tasks_crashed_total 0.0",
						"asynq_connections_max{pool=\"application\"} 8.0", "asynq_connections_max{pool=\"server\"} 4.0",
						"asynq_connections_pending{pool=\"server\"} 0.0",
						"asynq_tasks_broken_total{kind=\"undecodable\"} 0.0")
				.containsPattern("asynq_task_wait_seconds_count\\{queue=\"default\"} [12]")
				.containsPattern("asynq_server_forwarder_lag_seconds [0-9]")
				.contains("asynq_scheduler_lag_seconds NaN", "asynq_scheduler_providers_failing 0.0"));
		}
	}

	@Test
	void publishesTimersOfObservations(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(redis,
				"management.metrics.distribution.percentiles-histogram.asynq.task.process=true")) {
			AsynqClient client = context.getBean(AsynqClient.class);
			client.enqueue("greet", new Person("Ada"));
			client.enqueue("greet", "not a person");
			context.getBean(Greetings.class).next();
			String labels = "\\{error=\"%s\",outcome=\"%s\",queue=\"default\",type=\"greet\"} %s";
			await().untilAsserted(() -> assertThat(scrape(context).lines())
				.anyMatch((line) -> line
					.matches("asynq_task_enqueue_seconds_count" + labels.formatted("none", "succeeded", 2)))
				.anyMatch((line) -> line
					.matches("asynq_task_process_seconds_count" + labels.formatted("none", "succeeded", 1)))
				.anyMatch((line) -> line
					.matches("asynq_task_process_seconds_count" + labels.formatted("[A-Z]\\w+", "archived", 1))));
			assertThat(scrape(context))
				.contains("asynq_task_process_seconds_bucket{", "asynq_task_enqueue_active_seconds_count{")
				.doesNotContain("asynq_task_enqueue_seconds_bucket{");
		}
	}

	@Test
	void publishesHowTheLastTaskOfAPeriodicTaskHasEnded(TestRedis redis) {
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN)) {
			AsynqScheduler scheduler = context.getBean(AsynqScheduler.class);
			Object[] payload = { "not a person" };
			String entry = scheduler
				.register(PeriodicTaskDefinition.calling("@yearly", "greet", () -> payload[0]).id("greeting"));
			assertThat(scrape(context)).doesNotContain("asynq_periodic_last_outcome{");
			await().untilAsserted(() -> {
				scheduler.fireNow(entry);
				assertThat(scrape(context).lines()).contains("asynq_periodic_last_outcome{entry=\"greeting\"} 0.0");
			});
			payload[0] = new Person("Ada");
			await().untilAsserted(() -> {
				scheduler.fireNow(entry);
				assertThat(scrape(context).lines()).contains("asynq_periodic_last_outcome{entry=\"greeting\"} 1.0");
			});
			scheduler.unregister(entry);
			await().untilAsserted(() -> assertThat(scrape(context)).doesNotContain("asynq_periodic_last_outcome{"));
		}
	}

	@Test
	void gaugesSayWhatIsWrongInAnIncident(TestRedis redis) {
		try (ConfigurableApplicationContext context = TestApplication.run(redis)) {
			Incident.seed(new RedisState(context.getBean(RedisConnectionFactory.class)),
					context.getBean(RedisBroker.class), Instant.now().minusSeconds(300));
		}
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN)) {
			await().untilAsserted(() -> assertThat(scrape(context).lines()).contains(
					"asynq_tasks_failed_total{queue=\"mail\"} 970.0",
					"asynq_tasks_processed_total{queue=\"mail\"} 1000.0",
					"asynq_tasks_failed_total{queue=\"well-0\"} 3.0", "asynq_queue_consumers{queue=\"orphan\"} 0.0",
					"asynq_queue_consumers{queue=\"mail\"} 1.0", "asynq_queue_orphaned_tasks{queue=\"images\"} 1.0",
					"asynq_queue_orphaned_tasks{queue=\"well-0\"} 0.0",
					"asynq_queue_tasks{queue=\"reports\",state=\"archived\"} 3.0"));
		}
	}

	@Test
	void everySeriesHasHelp(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN)) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			assertThat(context.getBean(Greetings.class).next()).isNotNull();
			await().untilAsserted(() -> assertThat(scrape(context)).contains("asynq_task_process_seconds_count{",
					"asynq_task_wait_seconds_count{", "asynq_queue_size{"));
			List<String> types = scrape(context).lines().filter((line) -> line.startsWith("# TYPE asynq_")).toList();
			assertThat(types).hasSizeGreaterThan(50);
			String scraped = scrape(context);
			assertThat(types).map((line) -> line.split(" ")[2])
				.allSatisfy((name) -> assertThat(scraped).containsPattern("# HELP " + name + " \\S"));
		}
	}

	@Test
	void publishesNoTimersOfObservationsThatAreSwitchedOff(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(redis,
				"management.observations.enable.asynq=false")) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			assertThat(context.getBean(Greetings.class).next()).isNotNull();
			assertThat(scrape(context)).doesNotContain("asynq_task_enqueue", "asynq_task_process");
		}
	}

	@Test
	void namesEachSeriesExactlyAndTagsQueueOnly(TestRedis redis) {
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN, "asynq.server.enabled=false")) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			for (String series : SERIES) {
				await().untilAsserted(() -> assertThat(scrape(context).lines()).as(series)
					.anyMatch((line) -> line.startsWith(series + "{queue=\"default\"} ")));
			}
			assertThat(scrape(context).lines().filter((line) -> line.startsWith("asynq_queue_tasks{")))
				.containsExactlyInAnyOrder(Stream
					.of("active 0", "aggregating 0", "archived 0", "completed 0", "pending 1", "retry 0", "scheduled 0")
					.map((state) -> "asynq_queue_tasks{queue=\"default\",state=\"" + state.replace(" ", "\"} ") + ".0")
					.toArray(String[]::new));
			assertThat(scrape(context).lines().filter((line) -> line.startsWith("asynq_tasks_enqueued_total{")))
				.containsExactlyInAnyOrder(
						Stream.of("active 0", "archived 0", "completed 0", "pending 1", "retry 0", "scheduled 0")
							.map((state) -> "asynq_tasks_enqueued_total{queue=\"default\",state=\""
									+ state.replace(" ", "\"} ") + ".0")
							.toArray(String[]::new));
			assertThat(scrape(context)).contains("# TYPE asynq_tasks_processed_total counter",
					"# TYPE asynq_queue_size gauge", "# TYPE asynq_tasks_enqueued_total gauge",
					"# TYPE asynq_queue_paused_total gauge");
		}
	}

	@Test
	void keepsOtherQueuesWhenOneIsUnreadable() {
		TestRedis redis = TestRedis.startOwn();
		JedisConnectionFactory admin = RedisExtension.connectionFactory(redis);
		List<String> rights = new ArrayList<>(AclRule.documented());
		rights.replaceAll((right) -> right.equals("~asynq:*") ? "~asynq:{default}:*" : right);
		rights.add("~asynq:queues");
		AclRule.grant(admin, rights);
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN, "asynq.server.enabled=false",
				"spring.data.redis.username=" + AclRule.USER, "spring.data.redis.password=" + AclRule.PASSWORD);
				RedisConnection connection = admin.getConnection()) {
			connection.setCommands().sAdd("asynq:queues".getBytes(), "broken".getBytes());
			AsynqInspector inspector = context.getBean(AsynqInspector.class);
			assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> inspector.queueInfo("broken"));
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			await()
				.untilAsserted(() -> assertThat(scrape(context)).contains("asynq_queue_size{queue=\"default\"} 1.0"));
			assertThat(scrape(context)).doesNotContain("queue=\"broken\"");
		}
		finally {
			admin.destroy();
			redis.stop();
		}
	}

	@Test
	void removesDeletedQueue(TestRedis redis, RedisConnectionFactory factory) {
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN, "asynq.server.enabled=false")) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			await().untilAsserted(() -> assertThat(scrape(context)).contains("{queue=\"default\""));
			try (RedisConnection connection = factory.getConnection()) {
				connection.serverCommands().flushDb();
			}
			await().untilAsserted(() -> assertThat(scrape(context)).doesNotContain("{queue=\"default\""));
		}
	}

	@Test
	void firstScrapeFindsQueuesWithoutWaitingForTheInterval(TestRedis redis) {
		try (ConfigurableApplicationContext context = TestApplication.run(redis, "asynq.server.enabled=false")) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			assertThat(scrape(context)).contains("asynq_queue_size{queue=\"default\"} 1.0",
					"asynq_queue_paused_total{queue=\"default\"} 0.0");
		}
	}

	@Test
	void answersAtOnceWhileRedisIsAway() {
		TestRedis redis = TestRedis.startOwn();
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN, "asynq.server.enabled=false",
				"asynq.metrics.queues.max-age=200ms")) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			// Values are too old when the machine stands still between reading and
			// showing
			await()
				.untilAsserted(() -> assertThat(scrape(context)).contains("asynq_queue_size{queue=\"default\"} 1.0"));
			redis.node().kill();
			await().untilAsserted(() -> assertThat(scrape(context).lines())
				.anyMatch((line) -> line.matches("asynq_queue_snapshot_errors_total [1-9].*"))
				.contains("asynq_queue_size{queue=\"default\"} NaN", "asynq_queue_paused_total{queue=\"default\"} NaN",
						"asynq_tasks_processed_total{queue=\"default\"} NaN"));
			// Any of them: a machine under load may stand still meanwhile
			await().untilAsserted(() -> {
				long begin = System.nanoTime();
				assertThat(scrape(context)).contains("asynq_tasks_broken_total{kind=\"missing\"} 0.0")
					.containsPattern("asynq_queue_snapshot_age_seconds [0-9]");
				assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(500));
			});
		}
		finally {
			redis.stop();
		}
	}

	@Test
	void hostileNamesOfQueuesBreakNoScrape(TestRedis redis) {
		String hostile = "a\"b\n\uD83D\uDE00\\" + "x".repeat(900);
		try (ConfigurableApplicationContext context = TestApplication.run(redis, OFTEN, "asynq.server.enabled=false")) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"), (options) -> options.queue(hostile));
			String escaped = hostile.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
			await().untilAsserted(() -> assertThat(scrape(context).lines()).contains(
					"asynq_queue_size{queue=\"" + escaped + "\"} 1.0",
					"asynq_queue_paused_total{queue=\"" + escaped + "\"} 0.0"));
		}
	}

	private static String scrape(ConfigurableApplicationContext context) {
		return context.getBean(PrometheusMeterRegistry.class).scrape();
	}

}
