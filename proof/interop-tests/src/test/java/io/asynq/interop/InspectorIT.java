package io.asynq.interop;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.Page;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.redis.RedisState;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;
import io.asynq.interop.peer.GoInspection;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.ServerView;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;

/**
 * Both inspectors show the same.
 */
@InteropTest
class InspectorIT {

	private static final int MANY = 65;

	private final RedisState state;

	private final Instant now = Clock.systemUTC().instant();

	private final TwinQueues twins;

	InspectorIT(RedisConnectionFactory connections) {
		this.state = new RedisState(connections);
		this.twins = new TwinQueues(this.state, this.now);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void bothListSamePages(TaskState state, Peers peers) {
		for (int i = 0; i < MANY; i++) {
			this.twins.seed("default", state, "t" + i, i);
		}
		for (int size : new int[] { 1, 7, 30, 100 }) {
			List<String> all = new ArrayList<>();
			for (int number = 1; number <= MANY / size + 2; number++) {
				List<TaskView> page = page(peers, "default", state, Page.of(number, size));
				assertThat(page).as("page %s of %s", number, size)
					.isEqualTo(peers.go()
						.inspection()
						.list("default", state, "g", number, size)
						.stream()
						.map(TaskView::timeless)
						.toList());
				page.forEach((task) -> all.add(task.id()));
			}
			assertThat(all).hasSize(MANY).doesNotHaveDuplicates();
		}
	}

	@Test
	void bothReportExpiredLeases(Peers peers) {
		this.state.seedActive(this.now.plusSeconds(60), TwinQueues.message("default", "held"));
		this.state.seedActive(this.now.minusSeconds(1), TwinQueues.message("default", "lost"));
		this.state.seedActive(null, TwinQueues.message("default", "bare"));
		assertThat(page(peers, "default", TaskState.ACTIVE, Page.first()))
			.isEqualTo(peers.go().inspection().list("default", TaskState.ACTIVE, "", 1, 30))
			.extracting(TaskView::orphaned)
			.containsExactly(false, true, false);
	}

	@Test
	void bothLeaveOutUndecodableTasks(Peers peers) {
		this.state.seedScheduled(this.now.plusSeconds(60), TwinQueues.message("default", "a"),
				TwinQueues.message("default", "bad"), TwinQueues.message("default", "c"));
		this.state.seedField("default", "bad", "msg", new byte[] { (byte) 0xFF });
		assertThat(page(peers, "default", TaskState.SCHEDULED, Page.first()))
			.isEqualTo(peers.go().inspection().list("default", TaskState.SCHEDULED, "", 1, 30))
			.extracting(TaskView::id)
			.containsExactly("a", "c");
	}

	@Test
	void javaLeavesOutIdsWithoutTaskWhereGoLeavesGap(Peers peers) {
		this.state.seedScheduled(this.now.plusSeconds(60), TwinQueues.message("default", "a"));
		this.state.seedPending(TwinQueues.message("default", "b"));
		this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "gone", 1);
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "gone");
		for (TaskState state : List.of(TaskState.SCHEDULED, TaskState.PENDING)) {
			assertThat(page(peers, "default", state, Page.first())).hasSize(1);
			assertThat(peers.go().inspection().list("default", state, "", 1, 30)).extracting(TaskView::id)
				.hasSize(2)
				.contains("");
		}
	}

	@Test
	void bothCountQueuesGroupsAndDays(Peers peers) {
		this.twins.seedEveryState("default");
		this.state.seedGrouped(this.now, RedisState.message("default", "h1").group("h").build());
		LocalDate today = LocalDate.ofInstant(this.now, ZoneOffset.UTC);
		for (int i = 0; i < 100; i += 3) {
			this.state.redis().opsForValue().set("asynq:{default}:processed:" + today.minusDays(i), "" + (i + 10));
			this.state.redis().opsForValue().set("asynq:{default}:failed:" + today.minusDays(i), "" + i);
		}
		AsynqInspector inspector = peers.java().inspector();
		assertThat(inspector.queues()).isEqualTo(peers.go().queues());
		assertThat(peers.java().queue("default")).isEqualTo(peers.go().queue("default"));
		assertThat(inspector.groups("default")).extracting((group) -> group.name() + group.size())
			.containsExactly("g1", "h1");
		assertThat(peers.go().inspector().groups("default")).isEqualTo(Map.of("g", 1, "h", 1));
		assertThat(inspector.history("default", 100))
			.extracting((day) -> List.of((int) day.processed(), (int) day.failed()))
			.isEqualTo(peers.go().inspector().history("default", 100));
	}

	@Test
	void bothEstimateSameMemory(Peers peers) {
		for (TaskState state : TaskState.stored()) {
			for (int i = 0; i < 40; i++) {
				this.twins.seed("default", state, state.wireName() + i, i);
			}
		}
		assertThat(peers.java().inspector().memoryUsage("default"))
			.isCloseTo(peers.go().inspection().memoryUsage("default"), withPercentage(0.1));
	}

	@Test
	@Tag("slow")
	void bothShowTheServersOfBoth(Peers peers) {
		PeerServer java = peers.java().serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.HOLD)));
		PeerServer go = peers.go()
			.serve(ServerSpec.ofDefaultQueue()
				.withQueues(Map.of("other", 3, "low", 1))
				.with("report", Behaviour.of(Action.HOLD)));
		peers.java().enqueue("report", "1");
		peers.java().enqueue(Task.of("report", new byte[0]), TaskOptions.of((options) -> options.queue("other")));
		java.awaitStarted();
		go.awaitStarted();
		await().untilAsserted(() -> {
			List<ServerView> shown = peers.java().inspector().servers().stream().map(InspectorIT::view).toList();
			assertThat(shown).hasSize(2).allSatisfy((server) -> assertThat(server.activeWorkers()).hasSize(1));
			assertThat(shown).containsExactlyInAnyOrderElementsOf(peers.go().inspector().servers());
		});
		java.release();
		go.release();
	}

	@Test
	@Tag("slow")
	void bothShowPeriodicTasksAndTheirEvents(Peers peers) {
		GoInspection go = peers.go().inspection();
		String id = go.startScheduler("@every 1s");
		AsynqInspector inspector = peers.java().inspector();
		await()
			.untilAsserted(() -> assertThat(inspector.schedulerEnqueueEvents(id, Page.first())).hasSizeGreaterThan(3));
		await().untilAsserted(() -> assertThat(inspector.schedulerEntries().stream().map(InspectorIT::view))
			.isEqualTo(go.schedulerEntries().stream().map(InspectorIT::withoutOptions).toList()));
		SchedulerEntry fires = inspector.schedulerEntries()
			.stream()
			.filter((entry) -> entry.id().equals(id))
			.findFirst()
			.orElseThrow();
		assertThat(fires.previous()).isNotNull();
		assertThat(fires.task().payload()).isEqualTo("42".getBytes(StandardCharsets.UTF_8));
		assertThat(fires.options()).hasToString(
				TaskOptions
					.of((options) -> options.queue("low \"1\"")
						.maxRetry(3)
						.timeout(Duration.ofMinutes(90))
						.unique(Duration.ofSeconds(1))
						.retention(Duration.ofHours(36))
						.deadline(Instant.parse("2096-01-02T03:04:05Z")))
					.toString());
		assertThat(inspector.schedulerEntries()).filteredOn((entry) -> entry.task().type().equals("never"))
			.singleElement()
			.satisfies((never) -> {
				assertThat(never.previous()).isNull();
				assertThat(never.next()).isNull();
			});
		await().untilAsserted(() -> {
			List<EnqueueEvent> events = inspector.schedulerEnqueueEvents(id, Page.first());
			assertThat(events).isEqualTo(go.enqueueEvents(id, 1, 30));
			assertThat(inspector.schedulerEnqueueEvents(id, Page.of(2, 2))).isEqualTo(events.subList(2, 4));
			// Those of the same second have no order
			assertThat(events.stream().map((event) -> event.enqueuedAt().getEpochSecond()).toList())
				.isSortedAccordingTo(Comparator.reverseOrder());
		});
		assertThat(inspector.schedulerEnqueueEvents(id, Page.of(100, 30))).isEmpty();
	}

	@Test
	void javaCancelsTaskOfGo(Peers peers) {
		PeerServer server = peers.go().serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.BLOCK)));
		TaskView task = peers.java().enqueue("report", "1");
		server.awaitStarted();
		await().untilAsserted(() -> {
			peers.java().inspector().cancelTask(task.id());
			assertThat(peers.java().task(task).state()).isEqualTo(TaskState.RETRY);
		});
	}

	private static List<TaskView> page(Peers peers, String queue, TaskState state, Page page) {
		AsynqInspector inspector = peers.java().inspector();
		List<TaskInfo> tasks = (state == TaskState.AGGREGATING) ? inspector.listAggregatingTasks(queue, "g", page)
				: inspector.listTasks(queue, state, page);
		return tasks.stream().map(TaskView::of).map(TaskView::timeless).toList();
	}

	private static ServerView view(ServerInfo server) {
		return new ServerView(server.id(), server.host(), server.pid(), server.concurrency(), server.queues(),
				server.strictPriority(), server.startedAt(), server.status(),
				server.workers()
					.stream()
					.map((worker) -> new ServerView.Worker(worker.taskId(), worker.task().type(),
							(worker.task().payload() != null)
									? new String(worker.task().payload(), StandardCharsets.ISO_8859_1) : null,
							worker.queue(), worker.startedAt(), worker.deadline()))
					.toList());
	}

	private static GoInspection.Entry view(SchedulerEntry entry) {
		return new GoInspection.Entry(entry.id(), entry.spec(), entry.task().type(), entry.next(), entry.previous(),
				List.of());
	}

	private static GoInspection.Entry withoutOptions(GoInspection.Entry entry) {
		return new GoInspection.Entry(entry.id(), entry.spec(), entry.type(), entry.next(), entry.previous(),
				List.of());
	}

}
