package io.asynq.interop;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.broker.EnqueueEvent;
import io.asynq.broker.SchedulerEntry;
import io.asynq.broker.ServerInfo;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.redis.RedisState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;
import io.asynq.interop.peer.GoException;
import io.asynq.interop.peer.GoInspection;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.ServerView;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/**
 * Our inspector beside Go's: both show the same, and both leave the same behind. What one
 * does with the queue {@code java}, the other does with its twin {@code go}.
 */
@InteropTest
class InspectorIT {

	private static final int MANY = 65;

	private final RedisState state;

	private final Instant now = Clock.systemUTC().instant();

	InspectorIT(RedisConnectionFactory connections) {
		this.state = new RedisState(connections);
	}

	@ParameterizedTest
	@EnumSource
	void bothListTheSamePages(TaskState state, Peers peers) {
		for (int i = 0; i < MANY; i++) {
			seed("default", state, "t" + i, i);
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
	void bothTellWhoseLeaseHasEnded(Peers peers) {
		this.state.seedActive(this.now.plusSeconds(60), message("default", "held"));
		this.state.seedActive(this.now.minusSeconds(1), message("default", "lost"));
		this.state.seedActive(null, message("default", "bare"));
		assertThat(page(peers, "default", TaskState.ACTIVE, Page.first()))
			.isEqualTo(peers.go().inspection().list("default", TaskState.ACTIVE, "", 1, 30))
			.extracting(TaskView::orphaned)
			.containsExactly(false, true, false);
	}

	@Test
	void bothLeaveOutWhatCannotBeDecoded(Peers peers) {
		this.state.seedScheduled(this.now.plusSeconds(60), message("default", "a"), message("default", "bad"),
				message("default", "c"));
		this.state.seedField("default", "bad", "msg", new byte[] { (byte) 0xFF });
		assertThat(page(peers, "default", TaskState.SCHEDULED, Page.first()))
			.isEqualTo(peers.go().inspection().list("default", TaskState.SCHEDULED, "", 1, 30))
			.extracting(TaskView::id)
			.containsExactly("a", "c");
	}

	@Test
	void bothCountQueuesGroupsAndDays(Peers peers) {
		seedEveryState("default", "");
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
	void bothGuessTheSameMemory(Peers peers) {
		for (TaskState state : TaskState.values()) {
			for (int i = 0; i < 40; i++) {
				seed("default", state, state.wireName() + i, i);
			}
		}
		assertThat(peers.java().inspector().memoryUsage("default"))
			.isCloseTo(peers.go().inspection().memoryUsage("default"), withPercentage(0.1));
	}

	static Stream<Arguments> moves() {
		List<Arguments> moves = new ArrayList<>();
		for (String action : List.of("run", "archive", "delete")) {
			for (TaskState state : TaskState.values()) {
				moves.add(argumentSet(action + " " + state.wireName(), action, state));
			}
		}
		return moves.stream();
	}

	@ParameterizedTest
	@MethodSource("moves")
	void bothDoTheSameWithOneTask(String action, TaskState from, Peers peers) {
		seedTwins();
		String refusal = refusal(() -> one(peers, action, "java", from.wireName()));
		String refusalOfGo = refusal(() -> peers.go().inspection().one(action, "go", from.wireName()));
		assertThat(refusal.isEmpty()).as("refused by Java: %s; by Go: %s", refusal, refusalOfGo)
			.isEqualTo(refusalOfGo.isEmpty());
		assertThat(contents("java")).isEqualTo(contents("go"));
		assertThat(peers.java().queue("java")).isEqualTo(peers.go().queue("java"));
	}

	@ParameterizedTest
	@MethodSource("moves")
	void bothDoTheSameWithAllTasksOfAState(String action, TaskState from, Peers peers) {
		seedTwins();
		seed("java", from, "more", 7);
		seed("go", from, "more", 7);
		boolean possible = refusal(() -> assertThat(all(peers, action, "java", from)).isEqualTo(2)).isEmpty();
		boolean possibleInGo = refusal(
				() -> assertThat(peers.go().inspection().all(action, "go", from, "g")).isEqualTo(2))
			.isEmpty();
		assertThat(possible).isEqualTo(possibleInGo);
		assertThat(contents("java")).isEqualTo(contents("go"));
	}

	@Test
	void bothReplaceAPayload(Peers peers) {
		seedTwins();
		byte[] payload = "new \u00fc".getBytes(StandardCharsets.UTF_8);
		peers.java().inspector().updateTaskPayload("java", "scheduled", payload);
		peers.go().inspection().updatePayload("go", "scheduled", payload);
		assertThat(contents("java")).isEqualTo(contents("go"));
		assertThat(peers.go().task("java", "scheduled").payload()).isEqualTo("new \u00c3\u00bc");
		assertThat(peers.java().task("go", "scheduled").payload()).isEqualTo("new \u00c3\u00bc");
		for (TaskState state : TaskState.values()) {
			if (state != TaskState.SCHEDULED) {
				assertThatExceptionOfType(TaskStateException.class)
					.isThrownBy(() -> peers.java().inspector().updateTaskPayload("java", state.wireName(), payload));
				assertThatExceptionOfType(GoException.class)
					.isThrownBy(() -> peers.go().inspection().updatePayload("go", state.wireName(), payload));
			}
		}
	}

	@Test
	void bothPauseAndResume(Peers peers) {
		AsynqInspector inspector = peers.java().inspector();
		peers.java().enqueue("report", "1");
		inspector.pauseQueue("default");
		assertThat(peers.go().queue("default").paused()).isTrue();
		assertThatExceptionOfType(GoException.class).isThrownBy(() -> peers.go().inspector().pause("default"));
		peers.go().inspector().unpause("default");
		assertThat(inspector.queueInfo("default").paused()).isFalse();
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> inspector.resumeQueue("default"));
		peers.go().inspector().pause("default");
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> inspector.pauseQueue("default"));
		inspector.resumeQueue("default");
		assertThat(peers.go().queue("default").paused()).isFalse();
	}

	@Test
	void goKnowsNoQueueThatJavaHasDeleted(Peers peers) {
		seedEveryState("java", "");
		AsynqInspector inspector = peers.java().inspector();
		assertThatExceptionOfType(QueueNotEmptyException.class).isThrownBy(() -> inspector.deleteQueue("java", false));
		assertThatExceptionOfType(QueueNotEmptyException.class).isThrownBy(() -> inspector.deleteQueue("java", true))
			.withMessageContaining("1 active");
		assertThatExceptionOfType(GoException.class).isThrownBy(() -> peers.go().inspection().deleteQueue("java", true))
			.withMessageContaining("active");
		this.state.redis().delete(List.of("asynq:{java}:active", "asynq:{java}:lease", "asynq:{java}:t:active"));
		inspector.deleteQueue("java", true);
		assertThat(this.state.redis().keys("*{java}*")).isEmpty();
		assertThat(peers.go().queues()).isEmpty();
		assertThatExceptionOfType(GoException.class)
			.isThrownBy(() -> peers.go().inspection().list("java", TaskState.RETRY, "", 1, 30))
			.satisfies((ex) -> assertThat(ex.kind()).isEqualTo("queue-not-found"));
		peers.go().enqueue(Task.of("report", "1"), TaskOptions.of((options) -> options.queue("java")));
		assertThat(inspector.queueInfo("java").size()).isOne();
	}

	@Test
	void javaKnowsNoQueueThatGoHasDeleted(Peers peers) {
		peers.go().enqueue("report", "1");
		peers.go().inspection().deleteQueue("default", true);
		AsynqInspector inspector = peers.java().inspector();
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> inspector.queueInfo("default"));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> inspector.deleteQueue("default", true));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> inspector.listTasks("default", TaskState.PENDING, Page.first()));
	}

	@Test
	void bothSayWhatIsMissing(Peers peers) {
		peers.java().enqueue("report", "1");
		AsynqInspector inspector = peers.java().inspector();
		for (String action : List.of("run", "archive", "delete")) {
			assertThatExceptionOfType(TaskNotFoundException.class)
				.isThrownBy(() -> one(peers, action, "default", "gone"));
			assertThatExceptionOfType(QueueNotFoundException.class)
				.isThrownBy(() -> one(peers, action, "nowhere", "gone"));
			assertThatThrownBy(() -> peers.go().inspection().one(action, "default", "gone"))
				.extracting((ex) -> ((GoException) ex).kind())
				.isEqualTo("task-not-found");
			assertThatThrownBy(() -> peers.go().inspection().one(action, "nowhere", "gone"))
				.extracting((ex) -> ((GoException) ex).kind())
				.isEqualTo("queue-not-found");
		}
		assertThat(inspector.groups("nowhere")).isEmpty();
		assertThat(peers.go().inspector().groups("nowhere")).isEmpty();
	}

	@Test
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
	void bothShowPeriodicTasksAndWhatTheyHaveEnqueued(Peers peers) {
		GoInspection go = peers.go().inspection();
		String id = go.startScheduler("@every 1s");
		AsynqInspector inspector = peers.java().inspector();
		await().atMost(Duration.ofSeconds(20))
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
			assertThat(events).isSortedAccordingTo((a, b) -> b.enqueuedAt().compareTo(a.enqueuedAt()));
		});
		assertThat(inspector.schedulerEnqueueEvents(id, Page.of(100, 30))).isEmpty();
	}

	@Test
	void javaCancelsWhatGoWorksOn(Peers peers) {
		PeerServer server = peers.go().serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.BLOCK)));
		TaskView task = peers.java().enqueue("report", "1");
		server.awaitStarted();
		await().untilAsserted(() -> {
			peers.java().inspector().cancelTask(task.id());
			assertThat(peers.java().task(task).state()).isEqualTo(TaskState.RETRY);
		});
	}

	@Test
	void anIdleServerNoticesWhatIsRunByHand(Peers peers) {
		PeerServer server = peers.java().serve(ServerSpec.ofDefaultQueue());
		TaskView first = peers.java().enqueue("report", "first");
		assertThat(server.awaitStarted().taskId()).isEqualTo(first.id());
		this.state.seedArchived(this.now, message("default", "one"));
		this.state.seedRetry(this.now.plusSeconds(600), message("default", "all"));
		peers.java().inspector().runTask("default", "one");
		assertThat(server.awaitStarted().taskId()).isEqualTo("one");
		peers.java().inspector().runAllTasks("default", TaskState.RETRY);
		assertThat(server.awaitStarted().taskId()).isEqualTo("all");
	}

	private static List<TaskView> page(Peers peers, String queue, TaskState state, Page page) {
		AsynqInspector inspector = peers.java().inspector();
		List<TaskInfo> tasks = (state == TaskState.AGGREGATING) ? inspector.listAggregatingTasks(queue, "g", page)
				: inspector.listTasks(queue, state, page);
		return tasks.stream().map(TaskView::of).map(TaskView::timeless).toList();
	}

	private static void one(Peers peers, String action, String queue, String id) {
		AsynqInspector inspector = peers.java().inspector();
		switch (action) {
			case "run" -> inspector.runTask(queue, id);
			case "archive" -> inspector.archiveTask(queue, id);
			default -> inspector.deleteTask(queue, id);
		}
	}

	private static long all(Peers peers, String action, String queue, TaskState from) {
		AsynqInspector inspector = peers.java().inspector();
		boolean grouped = from == TaskState.AGGREGATING;
		return switch (action) {
			case "run" -> grouped ? inspector.runAllAggregatingTasks(queue, "g") : inspector.runAllTasks(queue, from);
			case "archive" ->
				grouped ? inspector.archiveAllAggregatingTasks(queue, "g") : inspector.archiveAllTasks(queue, from);
			default ->
				grouped ? inspector.deleteAllAggregatingTasks(queue, "g") : inspector.deleteAllTasks(queue, from);
		};
	}

	private static String refusal(Runnable call) {
		try {
			call.run();
			return "";
		}
		catch (AsynqException | GoException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	private void seedTwins() {
		seedEveryState("java", "");
		seedEveryState("go", "");
	}

	private void seedEveryState(String queue, String suffix) {
		for (TaskState state : TaskState.values()) {
			seed(queue, state, state.wireName() + suffix, 5);
		}
	}

	private void seed(String queue, TaskState state, String id, int seconds) {
		Instant at = this.now.plusSeconds(600 + seconds);
		TaskMessage message = message(queue, id);
		switch (state) {
			case PENDING -> this.state.seedPending(message);
			case ACTIVE -> this.state.seedActive(at, message);
			case SCHEDULED -> this.state.seedScheduled(at, message);
			case RETRY -> this.state.seedRetry(at, message);
			case ARCHIVED -> this.state.seedArchived(this.now.minusSeconds(600 - seconds), message);
			case COMPLETED -> this.state.seedCompleted(at, message);
			case AGGREGATING ->
				this.state.seedGrouped(this.now.plusSeconds(seconds), message.toBuilder().group("g").build());
		}
	}

	/**
	 * Reads a queue in a form that can be compared with its twin: without when a task
	 * became pending, which Go tells of some only, and with the time of the archive to
	 * the minute.
	 */
	private SortedMap<String, Object> contents(String queue) {
		SortedMap<String, Object> contents = new TreeMap<>();
		this.state.dump(queue).forEach((key, value) -> {
			String name = key.replace("{" + queue + "}", "{queue}");
			if (name.startsWith("asynq:{queue}:t:")) {
				TreeMap<String, String> fields = new TreeMap<>();
				((Map<?, ?>) value).forEach((field, text) -> fields.put((String) field, (String) text));
				fields.remove("pending_since");
				fields.remove("msg");
				contents.put(name, fields);
				TaskMessage message = this.state.stored(queue, name.substring("asynq:{queue}:t:".length()));
				contents.put(name + " payload", new String(message.payload(), StandardCharsets.ISO_8859_1));
			}
			else if (name.endsWith(":archived")) {
				TreeMap<String, Long> minutes = new TreeMap<>();
				((Map<?, ?>) value).forEach((id, score) -> minutes.put((String) id,
						Math.round(((Long) score - this.now.getEpochSecond()) / 60.0)));
				contents.put(name, minutes);
			}
			else {
				contents.put(name, value);
			}
		});
		return contents;
	}

	private static TaskMessage message(String queue, String id) {
		return RedisState.message(queue, id).retentionSeconds(60).build();
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
