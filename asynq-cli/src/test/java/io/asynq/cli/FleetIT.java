package io.asynq.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.server.QueueWeights;
import io.asynq.server.TestServer;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Shows what live servers and schedulers report.
 */
@ExtendWith(RedisExtension.class)
class FleetIT {

	private TestShell shell;

	@BeforeEach
	void setUp(TestRedis server) {
		this.shell = new TestShell(getClass(), server);
	}

	@Test
	@Tag("slow")
	void listsServers(RedisConnectionFactory connections) {
		try (TestServer server = TestServer.builder(connections).handling((task, context) -> null).start()) {
			await().untilAsserted(() -> assertThat(this.shell.run("server", "list").out()).startsWith("Host  ")
				.containsPattern("\n\\S+ +\\d+ +active +0/\\d+ +default:1 +\\d+s ago  \n"));
			assertThat(server.server().statistics()).isNotNull();
		}
	}

	@Test
	void tellsWhatServersHold(RedisConnectionFactory connections) {
		RedisBroker broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		broker.servers().enlist(new ServerIdentity("far", 7, "id"), Duration.ofMinutes(1));
		broker.servers()
			.write(new ServerSnapshot(new ServerIdentity("far", 7, "id"), 10,
					new QueueWeights(Map.of("default", 1), false), "active", Instant.now(), List.of(),
					Map.of("default", 12)), Duration.ofMinutes(1));
		assertThat(this.shell.run("server", "list").out())
			.containsPattern("\nfar +7 +active +0/10 \\+12 held +default:1 ");
		assertThat(this.shell.run("server", "list", "-o", "json").out())
			.containsPattern("\"held\" ?: ?\\{\\s*\"default\" ?: ?12");
		new StringRedisTemplate(connections).opsForSet().add("asynq:queues", "default");
		assertThat(this.shell.run("doctor").out()).doesNotContain("Repair it")
			.containsPattern("\nQueue +Fetched ahead *\n-+ +-+ *\ndefault +12 ");
		broker.close();
	}

	@Test
	void listsPeriodicTasksAndWhatTheyHaveEnqueued(RedisConnectionFactory connections) {
		Clock clock = Clock.systemUTC();
		RedisBroker broker = new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		AsynqScheduler scheduler = AsynqScheduler.create(broker, ClientOptions.builder().clock(clock).build(),
				SchedulerOptions.builder().clock(clock).heartbeatInterval(Duration.ofSeconds(1)).build(), List.of());
		scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("report", "weekly"))
			.id("reports")
			.options((options) -> options.queue("low")));
		scheduler.start();
		try {
			// Entries are listed for two heartbeats, so another look may find none
			AtomicReference<String> listed = new AtomicReference<>("");
			await().untilAsserted(() -> {
				listed.set(this.shell.run("cron", "ls").out());
				assertThat(listed.get()).startsWith("EntryID ")
					.containsPattern(
							"\nreports\\S* +@every 1s +report +weekly +\\[Queue\\(\"low\"\\)\\] +\\S+.* +\\S+ ago");
			});
			String entry = listed.get().lines().skip(2).findFirst().orElseThrow().split(" ")[0];
			assertThat(this.shell.run("cron", "history", entry).out()).contains("Entry: " + entry + "\n")
				.containsPattern("TaskID +EnqueuedAt +\n")
				.containsPattern("\n\\S+ +\\d{4}-\\d\\d-\\d\\d [0-9:]{8} \\+0000 UTC  \n");
			assertThat(this.shell.run("cron", "history", entry, "--size", "1").out().lines()).hasSize(6);
		}
		finally {
			scheduler.stop();
			broker.close();
		}
	}

}
