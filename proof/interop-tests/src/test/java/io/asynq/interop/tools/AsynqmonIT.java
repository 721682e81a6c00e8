package io.asynq.interop.tools;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peers;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * asynqmon v0.7.2 shows and changes what Java has written.
 */
@Tag("slow")
@InteropTest
class AsynqmonIT {

	private static Asynqmon asynqmon;

	@BeforeAll
	static void start() {
		asynqmon = new Asynqmon(TestRedis.shared());
	}

	@AfterAll
	static void stop() {
		asynqmon.close();
	}

	@Test
	void showsQueueWithCountersAndHistory(Peers peers) {
		EveryState.of(peers.java());
		JsonNode queue = asynqmon.get("/queues/mail");
		JsonNode current = queue.required("current");
		TaskState.stored()
			.forEach((state) -> assertThat(current.required(state.wireName()).asInt()).as(state.wireName())
				.isEqualTo(1));
		assertThat(current.required("size").asInt()).isEqualTo(7);
		assertThat(current.required("groups").asInt()).isEqualTo(1);
		assertThat(current.required("processed").asInt()).isEqualTo(3);
		assertThat(current.required("failed").asInt()).isEqualTo(2);
		assertThat(current.required("paused").asBoolean()).isFalse();
		assertThat(current.required("memory_usage_bytes").asInt()).isPositive();
		JsonNode today = queue.required("history").required(0);
		assertThat(today.required("processed").asInt()).isEqualTo(3);
		assertThat(today.required("failed").asInt()).isEqualTo(2);
		assertThat(asynqmon.get("/queues").required("queues").required(0).required("queue").asString())
			.isEqualTo("mail");
		assertThat(asynqmon.get("/queue_stats").at("/stats/mail/0/processed").asInt()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "active", "pending", "scheduled", "retry", "archived", "completed", "aggregating" })
	void listsTasksOfEveryState(String state, Peers peers) {
		EveryState.of(peers.java());
		String list = "aggregating".equals(state) ? "/queues/mail/groups/friends/aggregating_tasks"
				: "/queues/mail/" + state + "_tasks";
		JsonNode tasks = asynqmon.get(list).required("tasks");
		assertThat(tasks.size()).isEqualTo(1);
		JsonNode task = tasks.required(0);
		assertThat(task.required("id").asString()).isEqualTo(state);
		assertThat(task.required("payload").asString()).isEqualTo("{\"of\":\"" + state + "\"}");
		JsonNode detail = asynqmon.get("/queues/mail/tasks/" + state);
		assertThat(detail.required("state").asString()).isEqualTo(state);
		assertThat(detail.required("type").asString()).isEqualTo(state);
		if ("completed".equals(state)) {
			assertThat(detail.required("result").asString()).isEqualTo("\"done\"");
		}
		if ("retry".equals(state)) {
			assertThat(detail.required("error_message").asString()).contains("try later");
		}
	}

	@Test
	void showsServersAndTheirTasks(Peers peers) {
		EveryState.of(peers.java());
		await().untilAsserted(() -> {
			JsonNode servers = asynqmon.get("/servers").required("servers");
			assertThat(servers.size()).isEqualTo(1);
			JsonNode server = servers.required(0);
			assertThat(server.at("/queue_priorities/mail").asInt()).isEqualTo(2);
			assertThat(server.required("status").asString()).isEqualTo("stopped");
			assertThat(server.required("active_workers").size()).isEqualTo(1);
			assertThat(server.at("/active_workers/0/task_id").asString()).isEqualTo("active");
		});
	}

	@Test
	void listsGroups(Peers peers) {
		EveryState.of(peers.java());
		JsonNode groups = asynqmon.get("/queues/mail/groups").required("groups");
		assertThat(groups.size()).isEqualTo(1);
		assertThat(groups.required(0).required("group").asString()).isEqualTo("friends");
		assertThat(groups.required(0).required("size").asInt()).isEqualTo(1);
	}

	@Test
	void runsTasks(Peers peers) {
		EveryState tasks = EveryState.of(peers.java());
		for (String state : List.of("scheduled", "retry", "archived")) {
			asynqmon.post("/queues/mail/" + state + "_tasks/" + state + ":run");
			assertThat(tasks.task(state).state()).isEqualTo(TaskState.PENDING);
		}
		asynqmon.post("/queues/mail/groups/friends/aggregating_tasks/aggregating:run");
		assertThat(tasks.task("aggregating").state()).isEqualTo(TaskState.PENDING);
	}

	@Test
	void archivesTasks(Peers peers) {
		EveryState tasks = EveryState.of(peers.java());
		for (String state : List.of("pending", "scheduled", "retry")) {
			asynqmon.post("/queues/mail/" + state + "_tasks/" + state + ":archive");
			assertThat(tasks.task(state).state()).isEqualTo(TaskState.ARCHIVED);
		}
	}

	@Test
	void deletesTasks(Peers peers) {
		EveryState tasks = EveryState.of(peers.java());
		for (String state : List.of("pending", "scheduled", "retry", "archived", "completed")) {
			asynqmon.delete("/queues/mail/" + state + "_tasks/" + state);
			assertThat(peers.go().queue("mail").tasks()).doesNotContainKey(TaskState.of(state));
		}
		assertThat(tasks.task("aggregating").state()).isEqualTo(TaskState.AGGREGATING);
	}

	@Test
	void cancelsTaskOfJavaServer(Peers peers) {
		EveryState tasks = EveryState.of(peers.java());
		// A server subscribes some time after its start; earlier cancellations are lost
		await().untilAsserted(() -> {
			asynqmon.post("/queues/mail/active_tasks/active:cancel");
			assertThat(tasks.task("active").state()).isEqualTo(TaskState.RETRY);
		});
		assertThat(tasks.task("active").lastError()).isEqualTo("context canceled");
	}

	@Test
	void pausesAndResumesQueue(Peers peers) {
		EveryState.of(peers.java());
		asynqmon.post("/queues/mail:pause");
		assertThat(peers.java().queue("mail").paused()).isTrue();
		assertThat(asynqmon.get("/queues/mail").at("/current/paused").asBoolean()).isTrue();
		asynqmon.post("/queues/mail:resume");
		assertThat(peers.java().queue("mail").paused()).isFalse();
	}

	@Test
	void showsPeriodicTasksAndTheirEvents(RedisConnectionFactory connections) {
		AsynqScheduler scheduler = scheduler(connections);
		scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("report", "weekly"))
			.id("reports")
			.options((options) -> options.queue("low").maxRetry(4)));
		scheduler.start();
		try {
			await().untilAsserted(() -> {
				JsonNode entries = asynqmon.get("/scheduler_entries").required("entries");
				assertThat(entries.size()).isEqualTo(1);
				JsonNode entry = entries.required(0);
				assertThat(entry.required("spec").asString()).isEqualTo("@every 1s");
				assertThat(entry.required("task_type").asString()).isEqualTo("report");
				assertThat(entry.required("task_payload").asString()).isEqualTo("weekly");
				assertThat(entry.required("options").valueStream().map(JsonNode::asString))
					.containsExactlyInAnyOrder("Queue(\"low\")", "MaxRetry(4)");
				assertThat(entry.path("prev_enqueue_at").asString("")).isNotEmpty();
				String events = "/scheduler_entries/" + entry.required("id").asString() + "/enqueue_events";
				String task = asynqmon.get(events).at("/events/0/task_id").asString();
				assertThat(asynqmon.get("/queues/low/tasks/" + task).required("max_retry").asInt()).isEqualTo(4);
			});
		}
		finally {
			scheduler.stop();
		}
		assertThat(asynqmon.get("/scheduler_entries").required("entries").size()).isZero();
	}

	@Test
	void exportsMetricsOfJavaQueues(Peers peers) {
		EveryState.of(peers.java());
		assertThat(asynqmon.text("/metrics")).contains("asynq_queue_size{queue=\"mail\"} 7")
			.contains("asynq_tasks_enqueued_total{queue=\"mail\",state=\"retry\"} 1")
			.contains("asynq_tasks_processed_total{queue=\"mail\"} 3")
			.contains("asynq_tasks_failed_total{queue=\"mail\"} 2")
			.contains("asynq_queue_paused_total{queue=\"mail\"} 0");
	}

	private static AsynqScheduler scheduler(RedisConnectionFactory connections) {
		Clock clock = Clock.systemUTC();
		RedisBroker broker = new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		return AsynqScheduler.create(broker, ClientOptions.builder().clock(clock).build(),
				SchedulerOptions.builder().clock(clock).heartbeatInterval(Duration.ofSeconds(1)).build(), List.of());
	}

}
