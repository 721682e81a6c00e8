package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.asynq.BrokerException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.redis.proto.ServerInfo;
import io.asynq.internal.redis.proto.WorkerInfo;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.WorkerSnapshot;
import io.asynq.server.QueueWeights;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How queues, tasks and servers are read and published.
 */
@OnDrivers
class ReadContract extends BrokerContract {

	ReadContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void readsAllNumbersOfQueue() {
		this.state.seedPending(message("p1").build(), message("p2").build());
		this.state.seedField(QUEUE, "p1", "pending_since", utf8((nowSeconds() - 10) + "123456789"));
		this.state.seedActive(in(30), message("a1").build());
		this.state.seedScheduled(in(30), message("s1").build());
		this.state.seedRetry(in(30), message("r1").build());
		this.state.seedArchived(in(0), message("x1").build());
		this.state.seedCompleted(in(30), message("c1").build());
		this.state.seedGrouped(in(0), message("g1").group("a").build(), message("g2").group("b").build());
		this.state.redis().opsForValue().set("asynq:{default}:processed:" + DAY, "5");
		this.state.redis().opsForValue().set("asynq:{default}:failed:" + DAY, "2");
		this.state.redis().opsForValue().set("asynq:{default}:processed", "50");
		this.state.redis().opsForValue().set("asynq:{default}:failed", "garbage");
		this.state.redis().opsForValue().set("asynq:{default}:paused", "1");
		QueueStats stats = this.broker.queues().stats(QUEUE).orElseThrow();
		assertThat(stats.sizes()).containsExactlyInAnyOrderEntriesOf(
				Map.of(TaskState.PENDING, 2L, TaskState.ACTIVE, 1L, TaskState.SCHEDULED, 1L, TaskState.RETRY, 1L,
						TaskState.ARCHIVED, 1L, TaskState.COMPLETED, 1L, TaskState.AGGREGATING, 2L));
		assertThat(stats.groups()).isEqualTo(2);
		assertThat(stats.latency()).isEqualTo(Duration.ofSeconds(10));
		assertThat(stats.today()).isEqualTo(new QueueStats.Counters(5, 2));
		assertThat(stats.total()).isEqualTo(new QueueStats.Counters(50, 0));
		assertThat(stats.paused()).isTrue();
	}

	@Test
	void unlistedQueueDoesNotExist() {
		assertThat(this.broker.queues().stats("nobody")).isEmpty();
		assertThat(this.broker.queues().queues()).isEmpty();
		this.state.redis().opsForSet().add("asynq:queues", "b", "a");
		assertThat(this.broker.queues().queues()).containsExactly("a", "b");
		assertThat(this.broker.queues().stats("a").orElseThrow().latency()).isZero();
	}

	@Test
	void keysOfWrongTypeCountAsEmpty() {
		this.state.redis().opsForSet().add("asynq:queues", QUEUE);
		for (String key : List.of("pending", "active", "scheduled", "groups", "completed")) {
			this.state.redis().opsForValue().set("asynq:{default}:" + key, "text");
		}
		assertThat(this.broker.queues().stats(QUEUE).orElseThrow().sizes().values()).containsOnly(0L);
	}

	@Test
	void countsTasksOfManyGroupsInSlices() {
		this.state.redis().opsForSet().add("asynq:queues", QUEUE);
		String[] groups = new String[1200];
		for (int i = 0; i < groups.length; i++) {
			groups[i] = "g" + i;
		}
		this.state.redis().opsForSet().add("asynq:{default}:groups", groups);
		this.state.redis().opsForZSet().add("asynq:{default}:g:g7", "t1", 1);
		this.state.redis().opsForZSet().add("asynq:{default}:g:g1100", "t2", 1);
		QueueStats stats = this.broker.queues().stats(QUEUE).orElseThrow();
		assertThat(stats.groups()).isEqualTo(1200);
		assertThat(stats.sizes()).containsEntry(TaskState.AGGREGATING, 2L);
	}

	@Test
	void pingSucceeds() {
		this.broker.queues().ping();
	}

	@ParameterizedTest
	@CsvSource({ "1767225600123456789, 2026-01-01T00:00:00.123456789Z", "1, 1970-01-01T00:00:00.000000001Z", "'', ",
			"0, ", "yesterday, ", "-1, ", "99999999999999999999, " })
	void tellsSinceWhenATaskIsPending(String noted, @Nullable Instant since) {
		this.state.seedPending(message("p1").build());
		this.state.seedField(QUEUE, "p1", "pending_since", utf8(noted));
		assertThat(this.broker.tasks().find(QUEUE, "p1").orElseThrow().pendingSince()).isEqualTo(since);
		assertThat(this.broker.tasks().list(QUEUE, TaskState.PENDING, 0, 10)).extracting(TaskInfo::pendingSince)
			.containsExactly(since);
	}

	@Test
	void tellsOfNoOtherTaskSinceWhenItWasPending() {
		this.state.seedScheduled(in(30), message("s1").build());
		this.state.seedField(QUEUE, "s1", "pending_since", utf8("1767225600123456789"));
		assertThat(this.broker.tasks().find(QUEUE, "s1").orElseThrow().pendingSince()).isNull();
	}

	@Test
	void readsAllFieldsOfTask() {
		this.state.seedRetry(in(60),
				message("t1").retried(2)
					.errorMessage("boom")
					.lastFailedAtSeconds(1_700_000_000)
					.deadlineSeconds(1_800_000_000)
					.retentionSeconds(7)
					.headers(Map.of("trace", "abc"))
					.build());
		this.state.seedField(QUEUE, "t1", "result", utf8("42"));
		TaskInfo info = this.broker.tasks().find(QUEUE, "t1").orElseThrow();
		assertThat(info.state()).isEqualTo(TaskState.RETRY);
		assertThat(info.type()).isEqualTo("email:send");
		assertThat(info.payload()).isEqualTo(utf8("{\"user_id\":42}"));
		assertThat(info.headers()).containsEntry("trace", "abc");
		assertThat(info.retried()).isEqualTo(2);
		assertThat(info.maxRetry()).isEqualTo(25);
		assertThat(info.lastError()).isEqualTo("boom");
		assertThat(info.lastFailedAt()).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
		assertThat(info.deadline()).isEqualTo(Instant.ofEpochSecond(1_800_000_000));
		assertThat(info.timeout()).isEqualTo(Duration.ofMinutes(30));
		assertThat(info.retention()).isEqualTo(Duration.ofSeconds(7));
		assertThat(info.nextProcessAt()).isEqualTo(Instant.ofEpochSecond(nowSeconds() + 60));
		assertThat(info.result()).isEqualTo(utf8("42"));
	}

	@Test
	void missingTaskIsEmpty() {
		assertThat(this.broker.tasks().find(QUEUE, "none")).isEmpty();
	}

	@Test
	void taskWithoutStateHasStateOfItsContainer() {
		this.state.seedPending(message("p1").build());
		this.state.seedScheduled(in(5), message("s1").build());
		for (String id : List.of("p1", "s1")) {
			this.state.redis().opsForHash().delete("asynq:{default}:t:" + id, "state");
		}
		assertThat(this.broker.tasks().find(QUEUE, "p1").orElseThrow().state()).isEqualTo(TaskState.PENDING);
		assertThat(this.broker.tasks().find(QUEUE, "s1").orElseThrow().state()).isEqualTo(TaskState.SCHEDULED);
	}

	@Test
	void timesBeyondRangeAreReadable() {
		this.state.seedScheduled(in(5),
				message("s1").deadlineSeconds(Long.MAX_VALUE).lastFailedAtSeconds(Long.MIN_VALUE).build());
		this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "s1", Double.POSITIVE_INFINITY);
		TaskInfo info = this.broker.tasks().find(QUEUE, "s1").orElseThrow();
		assertThat(info.nextProcessAt()).isEqualTo("9999-12-31T23:59:59Z");
		assertThat(info.deadline()).isEqualTo("9999-12-31T23:59:59Z");
		assertThat(info.lastFailedAt()).isEqualTo("0001-01-01T00:00:00Z");
	}

	@Test
	void undecodableTaskIsNamed() {
		this.state.seedPending(message("t1").build());
		this.state.seedField(QUEUE, "t1", "msg", new byte[] { (byte) 0xFF });
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.broker.tasks().find(QUEUE, "t1"))
			.withMessageContaining("t1")
			.withMessageContaining(QUEUE);
	}

	@Test
	void resultDoesNotRecreateDeletedTask() {
		assertThat(
				this.broker.completer().writeResult(new Lease(QUEUE, "gone", "present", System.nanoTime()), utf8("x")))
			.isFalse();
		assertThat(this.state.exists("asynq:{default}:t:gone")).isFalse();
	}

	@Test
	void serverPublishesItselfAndItsTasks() throws Exception {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		WorkerSnapshot worker = new WorkerSnapshot(message("t1").build(), this.clock.instant(), in(60));
		ServerSnapshot server = new ServerSnapshot(identity, 10, new QueueWeights(Map.of(QUEUE, 3), true), "active",
				this.clock.instant(), List.of(worker), Map.of());
		this.broker.servers().enlist(server.identity(), Duration.ofMillis(9500));
		this.broker.servers().write(server, Duration.ofMillis(9500));
		String serverKey = "asynq:servers:{host:7:uuid}";
		String workersKey = "asynq:workers:{host:7:uuid}";
		byte[] stored = this.state.redis()
			.execute((connection) -> connection.stringCommands().get(utf8(serverKey)), true);
		ServerInfo info = ServerInfo.parseFrom(stored);
		assertThat(info.getStatus()).isEqualTo("active");
		assertThat(info.getQueuesMap()).containsEntry(QUEUE, 3);
		assertThat(info.getStrictPriority()).isTrue();
		assertThat(info.getActiveWorkerCount()).isEqualTo(1);
		assertThat(info.getStartTime().getNanos()).isEqualTo(123456789);
		byte[] storedWorker = this.state.redis()
			.execute((connection) -> connection.hashCommands().hGet(utf8(workersKey), utf8("t1")), true);
		WorkerInfo task = WorkerInfo.parseFrom(storedWorker);
		assertThat(task.getTaskType()).isEqualTo("email:send");
		assertThat(task.getDeadline().getSeconds()).isEqualTo(nowSeconds() + 60);
		assertThat(this.state.redis().getExpire(serverKey)).isBetween(5L, 10L);
		assertThat(this.state.redis().getExpire(workersKey)).isBetween(5L, 10L);
		assertThat(this.state.redis().opsForZSet().score("asynq:servers", serverKey)).isEqualTo(nowSeconds() + 10);
		assertThat(this.state.redis().opsForZSet().score("asynq:workers", workersKey)).isEqualTo(nowSeconds() + 10);
		this.broker.servers().clear(identity);
		for (String key : List.of(serverKey, workersKey, "asynq:servers", "asynq:workers")) {
			assertThat(this.state.exists(key)).as(key).isFalse();
		}
	}

	@Test
	void serverPublishesThousandsOfTasksInSteps() {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		for (int count : List.of(2500, 1000, 0)) {
			List<WorkerSnapshot> workers = IntStream.range(0, count)
				.mapToObj((i) -> new WorkerSnapshot(message("t" + i).build(), this.clock.instant(), in(60)))
				.toList();
			this.broker.servers().enlist(identity, Duration.ofSeconds(10));
			this.broker.servers()
				.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(QUEUE, 3), true), "active",
						this.clock.instant(), workers, Map.of()), Duration.ofSeconds(10));
			assertThat(this.state.redis().opsForHash().size("asynq:workers:{host:7:uuid}")).isEqualTo(count);
			assertThat(this.broker.servers().listedTasks()).hasSize(count);
		}
	}

	@Test
	void expiredServersLeaveListsAndServersWithSlowClockStay() {
		List<String> dead = IntStream.range(0, 1200).mapToObj((i) -> "{host:" + i + ":dead}").toList();
		for (String list : List.of("asynq:servers", "asynq:workers")) {
			this.state.redis()
				.opsForZSet()
				.add(list,
						dead.stream()
							.map((name) -> TypedTuple.of(list + ":" + name, nowSeconds() - 60.0))
							.collect(Collectors.toSet()));
			this.state.redis().opsForZSet().add(list, list + ":{behind}", nowSeconds() - 3600);
			this.state.redis().opsForZSet().add(list, list + ":{idle and behind}", nowSeconds() - 3600);
		}
		this.state.redis().opsForHash().put("asynq:workers:{behind}", "t1", "info");
		this.state.redis().opsForValue().set("asynq:servers:{behind}", "info");
		this.state.redis().opsForValue().set("asynq:servers:{idle and behind}", "info");
		assertThat(this.broker.servers().listedTasks()).containsExactly("t1");
		for (String list : List.of("asynq:servers", "asynq:workers")) {
			assertThat(this.state.redis().opsForZSet().range(list, 0, -1)).containsExactlyInAnyOrder(list + ":{behind}",
					list + ":{idle and behind}");
		}
	}

	@Test
	void worklistOfWrongTypeIsEmpty() {
		this.state.redis().opsForHash().put("asynq:workers:{a}", "t1", "info");
		this.state.redis().opsForValue().set("asynq:workers:{b}", "no hash");
		for (String member : List.of("asynq:workers:{a}", "asynq:workers:{b}", "asynq:workers:{gone}", "else", "")) {
			this.state.redis().opsForZSet().add("asynq:workers", member, 1);
		}
		assertThat(this.broker.servers().listedTasks()).containsExactly("t1");
		this.state.redis().delete("asynq:workers");
		this.state.redis().opsForValue().set("asynq:workers", "no sorted set");
		assertThat(this.broker.servers().listedTasks()).isEmpty();
	}

	private Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
