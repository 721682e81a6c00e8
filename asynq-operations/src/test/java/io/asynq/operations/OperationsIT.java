package io.asynq.operations;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.ClientOptions;
import io.asynq.EnqueueAttempt;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Listing;
import io.asynq.inspect.RunOptions;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.worker.ServedTypes;
import io.asynq.operations.repair.Diagnosis;
import io.asynq.operations.repair.Inconsistency;
import io.asynq.operations.repair.QueueRepair;
import io.asynq.operations.repair.RepairReport;
import io.asynq.schedule.PeriodicTaskNotFoundException;
import io.asynq.server.QueueWeights;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What an operator does by hand, on a real Redis.
 */
@ExtendWith(RedisExtension.class)
class OperationsIT {

	private static final String QUEUE = "default";

	private static final TaskSelection PENDING = new TaskSelection(QUEUE, TaskState.PENDING, null);

	private RedisConnectionFactory factory;

	private RedisBroker broker;

	private AsynqClient client;

	private AsynqInspector inspector;

	private QueueOperations queues;

	private TaskOperations tasks;

	@BeforeEach
	void connect(RedisConnectionFactory factory) {
		this.factory = factory;
		this.broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		this.client = AsynqClient.create(this.broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
		this.inspector = AsynqInspector.create(this.broker, Clock.systemUTC());
		this.queues = new QueueOperations(this.inspector);
		this.tasks = new TaskOperations(this.inspector, this.client, Clock.systemUTC());
	}

	@Test
	void changesSomeHundredAtATimeAndSaysHowManyAreLeft() {
		enqueue(620, TaskOptions.none());
		ActionReport first = this.tasks.actOnAll(TaskAction.ARCHIVE, PENDING, 620L);
		assertThat(first).isEqualTo(new ActionReport(500, List.of(), 120));
		ActionReport second = this.tasks.actOnAll(TaskAction.ARCHIVE, PENDING, first.remaining());
		assertThat(second).isEqualTo(new ActionReport(120, List.of(), 0));
		assertThat(this.inspector.queueInfo(QUEUE).size(TaskState.ARCHIVED)).isEqualTo(620);
	}

	@Test
	void changesNothingIfThereAreManyMoreThanExpected() {
		enqueue(12, TaskOptions.none());
		for (Long expected : new Long[] { null, -1L }) {
			assertThatExceptionOfType(AsynqException.class)
				.isThrownBy(() -> this.tasks.actOnAll(TaskAction.DELETE, PENDING, expected))
				.withMessageContaining("expectedCount");
		}
		assertThatExceptionOfType(UnexpectedCountException.class)
			.isThrownBy(() -> this.tasks.actOnAll(TaskAction.DELETE, PENDING, 10L))
			.withMessageContaining("12");
		assertThat(this.inspector.queueInfo(QUEUE).size()).isEqualTo(12);
		assertThat(this.tasks.actOnAll(TaskAction.DELETE, PENDING, 11L).done()).as("a tenth more").isEqualTo(12);
	}

	@Test
	void goesOnBehindTasksThatCannotBeChanged() {
		enqueue(Cursor.LARGEST + 50, TaskOptions.of((options) -> options.processIn(Duration.ofHours(1))));
		TaskSelection scheduled = new TaskSelection(QUEUE, TaskState.SCHEDULED, null);
		String misplaced = this.tasks.list(scheduled, null, null).entries().get(0).id();
		command("HSET", "asynq:{default}:t:" + misplaced, "state", "retry");
		ActionReport report = this.tasks.actOnAll(TaskAction.RUN, scheduled, Cursor.LARGEST + 50L);
		assertThat(report.done()).isEqualTo(Cursor.LARGEST + 49);
		assertThat(report.failed()).extracting(ActionReport.Failure::id).containsExactly(misplaced);
		assertThat(report.remaining()).isEqualTo(1);
	}

	@Test
	void changesTasksThatMeetConditionsAndSaysWhereToLookForMore() {
		int others = TaskOperations.MOST_LOOKED_AT - 400;
		enqueue("rare", 900, TaskOptions.none());
		new RedisState(this.factory).seedMany(QUEUE, "pending", others, 0);
		enqueue("rare", 3, TaskOptions.none());
		TaskSelection rare = new TaskSelection(QUEUE, TaskState.PENDING, null, RunOptions.defaults().type("rare"));
		assertThatExceptionOfType(UnexpectedCountException.class)
			.isThrownBy(() -> this.tasks.actOnChosen(TaskAction.ARCHIVE, rare, null, 400L))
			.withMessageContaining("900");
		ActionReport first = this.tasks.actOnChosen(TaskAction.ARCHIVE, rare, null, 903L);
		assertThat(first.done()).isEqualTo(500);
		assertThat(first.remaining()).as("of those it has looked at").isEqualTo(400);
		long done = first.done();
		String next = first.next();
		for (int part = 0; next != null; part++) {
			assertThat(part).as("a walk that ends").isLessThan(5);
			ActionReport report = this.tasks.actOnChosen(TaskAction.ARCHIVE, rare, next, 903L);
			assertThat(report.failed()).isEmpty();
			done += report.done();
			next = report.next();
		}
		assertThat(done).isEqualTo(903);
		assertThat(this.inspector.queueInfo(QUEUE).size(TaskState.PENDING)).isEqualTo(others);
	}

	@Test
	void refusesStatesThatAnActionDoesNotFit() {
		enqueue(1, TaskOptions.none());
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.tasks.actOnAll(TaskAction.RUN, PENDING, 1L))
			.withMessageContaining("'state' must be one of");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(
				() -> this.tasks.actOnAll(TaskAction.RUN, new TaskSelection(QUEUE, TaskState.AGGREGATING, null), 0L))
			.withMessageContaining("'group' is missing");
	}

	@Test
	void listsToTheEndByItsCursors() {
		enqueue(7, TaskOptions.none());
		Set<String> seen = new HashSet<>();
		String cursor = null;
		int parts = 0;
		do {
			Listing<TaskInfo> part = this.tasks.list(PENDING, cursor, 3);
			part.entries().forEach((task) -> assertThat(seen.add(task.id())).isTrue());
			cursor = part.next();
			parts++;
		}
		while (cursor != null);
		assertThat(seen).hasSize(7);
		assertThat(parts).isEqualTo(3);
	}

	@Test
	void listsGroupAndActsOnIt() {
		enqueue(4, TaskOptions.of((options) -> options.group("sales")));
		TaskSelection group = new TaskSelection(QUEUE, TaskState.AGGREGATING, "sales");
		assertThat(this.tasks.list(group, null, 3).next()).isNotNull();
		assertThat(this.tasks.list(group, null, 4).next()).isNull();
		assertThat(this.queues.groups(QUEUE, null, null).entries()).singleElement()
			.hasToString("GroupInfo[name=sales, size=4]");
		assertThat(this.tasks.actOnAll(TaskAction.RUN, group, 4L)).isEqualTo(new ActionReport(4, List.of(), 0));
	}

	@Test
	void saysWhyOneTaskCannotBeChanged() {
		TaskInfo task = enqueue(1, TaskOptions.none()).get(0);
		assertThatExceptionOfType(TaskNotFoundException.class)
			.isThrownBy(() -> this.tasks.actOnOne(TaskAction.RUN, QUEUE, "none"));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.tasks.actOnOne(TaskAction.DELETE, "none", "none"));
		for (TaskAction action : List.of(TaskAction.RUN, TaskAction.CANCEL)) {
			assertThatExceptionOfType(TaskStateException.class).as(action.toString())
				.isThrownBy(() -> this.tasks.actOnOne(action, QUEUE, task.id()));
		}
		assertThat(this.tasks.act(TaskAction.CANCEL, QUEUE, List.of(task.id(), "none")).failed()).hasSize(2);
	}

	@Test
	void takesFewIds() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(
				() -> this.tasks.act(TaskAction.RUN, QUEUE, IntStream.range(0, 501).mapToObj(String::valueOf).toList()))
			.withMessageContaining("500");
	}

	@Test
	void manyQueuesAreListedInParts() {
		for (int i = 0; i < 201; i++) {
			command("SADD", "asynq:queues", "q%03d".formatted(i));
		}
		Overview overview = this.queues.overview(null);
		assertThat(overview.queues()).hasSize(200);
		assertThat(this.queues.overview(overview.next()).queues()).extracting(Overview.Line::queue)
			.containsExactly("q200");
		assertThat(this.queues.queues("q199").entries()).hasSize(1);
	}

	@Test
	void pausesKnownQueuesOnlyAndTellsWhetherItChangedAnything() {
		enqueue(1, TaskOptions.none());
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.queues.pause("defualt"));
		assertThat(this.queues.pause(QUEUE)).isTrue();
		assertThat(this.queues.pause(QUEUE)).isFalse();
		assertThat(this.queues.resume(QUEUE)).isTrue();
		assertThat(this.queues.resume(QUEUE)).isFalse();
	}

	@Test
	void deletesQueueWithItsTasksOnlyIfToldHowMany() {
		enqueue(3, TaskOptions.none());
		assertThatExceptionOfType(QueueNotEmptyException.class)
			.isThrownBy(() -> this.queues.delete(QUEUE, false, null));
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.queues.delete(QUEUE, true, null))
			.withMessageContaining("expectedCount");
		assertThat(this.queues.delete(QUEUE, true, 3L)).isEqualTo(3);
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.queues.queue(QUEUE));
	}

	@Test
	void repairedLeaseIsExpiredByTheTimeOfRedis() {
		new RedisState(this.factory).seedActive(null, RedisState.message(QUEUE, "t1").build());
		RedisBroker ahead = new RedisBroker(this.factory, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)),
				RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
				});
		long before = Instant.now().getEpochSecond();
		assertThat(new QueueRepair(ahead).repair(QUEUE, Set.of(Inconsistency.Kind.ACTIVE_WITHOUT_LEASE), false).left())
			.isZero();
		assertThat(new RedisState(this.factory).scores(QUEUE, "lease").get("t1")).isBetween(before - 60, before + 60);
	}

	@Test
	void unknownQueueIsNotHealthy() {
		RepairOperations repair = new RepairOperations(this.inspector, this.broker);
		Set<Inconsistency.Kind> all = EnumSet.allOf(Inconsistency.Kind.class);
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> repair.diagnose("none", null, null));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> repair.repair("none", all, false, null, null));
		enqueue(1, TaskOptions.none());
		command("SREM", "asynq:queues", QUEUE);
		assertThat(repair.diagnose(QUEUE, null, null).counts()).containsOnlyKeys(Inconsistency.Kind.QUEUE_NOT_LISTED);
		assertThat(repair.repair(QUEUE, all, true, null, null).repaired()).hasSize(1);
		assertThat(this.inspector.queues()).as("a dry run").isEmpty();
		repair.repair(QUEUE, all, false, null, null);
		assertThat(this.inspector.queues()).containsExactly(QUEUE);
	}

	@Test
	void repairsPartByPart() {
		RepairOperations repair = new RepairOperations(this.inspector, this.broker);
		enqueue(1200, TaskOptions.of((options) -> options.processIn(Duration.ofHours(1))));
		for (String id : List.of("first", "last")) {
			command("ZADD", "asynq:{default}:scheduled", id.equals("first") ? "1" : "9999999999", id);
		}
		Set<Inconsistency.Kind> all = EnumSet.allOf(Inconsistency.Kind.class);
		for (boolean dryRun : List.of(true, false)) {
			long repaired = 0;
			int parts = 0;
			String cursor = null;
			do {
				RepairReport part = repair.repair(QUEUE, all, dryRun, cursor, 500);
				repaired += part.repaired().getOrDefault(Inconsistency.Kind.ID_WITHOUT_TASK, 0L);
				cursor = part.next();
				parts++;
				assertThat(parts).as("a walk that ends").isLessThan(50);
			}
			while (cursor != null);
			assertThat(repaired).as("dry run: " + dryRun).isEqualTo(2);
			assertThat(parts).isGreaterThan(3);
		}
		assertThat(new QueueRepair(this.broker).diagnose(QUEUE).isClean()).isTrue();
	}

	@Test
	void tellsOfTasksThatWaitForAHandlerWhichNoLiveServerHas() {
		enqueue(1, TaskOptions.none());
		for (String type : List.of("mail", "report")) {
			command("ZADD", "asynqj:{default}:unhandled", "0", type);
			command("ZADD", "asynqj:{default}:unhandled:" + type, "1", "a", "2", "b");
		}
		server("other", "low", "report");
		RepairOperations repair = new RepairOperations(this.inspector, this.broker);
		assertThat(repair.diagnose(QUEUE, null, null).unhandled()).isEqualTo(Map.of("mail", 2L, "report", 2L));
		server("this", QUEUE, "report");
		Diagnosis first = repair.diagnose(QUEUE, null, 1);
		assertThat(first.unhandled()).isEqualTo(Map.of("mail", 2L));
		assertThat(first.next()).isNotNull();
		assertThat(repair.diagnose(QUEUE, first.next(), null).unhandled()).as("told once").isEmpty();
		assertThat(new QueueRepair(this.broker).diagnose(QUEUE).isClean()).isTrue();
	}

	@Test
	void tasksThatWaitForALimitAreToldAndNoInconsistency() {
		new LimitSeeds(this.broker).concurrent("pdf", 1)
			.hold(QUEUE, "a", "pdf")
			.park(QUEUE, "b", "pdf")
			.park(QUEUE, "c", "pdf");
		Diagnosis found = new QueueRepair(this.broker).diagnose(QUEUE);
		assertThat(found.isClean()).isTrue();
		assertThat(found.limited()).isEqualTo(2);
		Diagnosis first = new QueueRepair(this.broker).diagnose(QUEUE, null, 1);
		assertThat(new QueueRepair(this.broker).diagnose(QUEUE, first.next(), 1).limited()).as("told once").isZero();
	}

	@Test
	void tasksThatServersHoldAreToldAndNoInconsistency() {
		this.broker.servers().enlist(new ServerIdentity("host", 1, "busy"), Duration.ofSeconds(10));
		this.broker.servers()
			.write(new ServerSnapshot(new ServerIdentity("host", 1, "busy"), 1,
					new QueueWeights(Map.of(QUEUE, 1), false), "active", Clock.systemUTC().instant(), List.of(),
					Map.of(QUEUE, 5, "other", 7)), Duration.ofSeconds(10));
		enqueue(1, TaskOptions.none());
		Diagnosis found = new QueueRepair(this.broker).diagnose(QUEUE);
		assertThat(found.isClean()).isTrue();
		assertThat(found.held()).isEqualTo(5);
		Diagnosis first = new QueueRepair(this.broker).diagnose(QUEUE, null, 1);
		assertThat(new QueueRepair(this.broker).diagnose(QUEUE, first.next(), 1).held()).as("told once").isZero();
	}

	@Test
	void oneCallLooksAtLimitedNumber() {
		RepairOperations repair = new RepairOperations(this.inspector, this.broker);
		for (int limit : new int[] { 0, RepairOperations.LARGEST_LIMIT + 1 }) {
			assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> repair.diagnose(QUEUE, null, limit))
				.withMessageContaining("'limit'");
		}
	}

	@Test
	void onlyLiveJavaServersAreAsked() {
		ServerOperations servers = new ServerOperations(this.inspector, this.broker, Clock.systemUTC(), null);
		assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> servers.ask("nobody", true))
			.withMessageContaining("'nobody'");
		this.broker.servers().enlist(new ServerIdentity("gohost", 9, "go"), Duration.ofMinutes(5));
		this.broker.servers()
			.write(new ServerSnapshot(new ServerIdentity("gohost", 9, "go"), 1,
					new QueueWeights(Map.of(QUEUE, 1), false), "active", Clock.systemUTC().instant(), List.of(),
					Map.of()), Duration.ofMinutes(5));
		assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> servers.ask("go", true))
			.withMessageContaining("gohost:9")
			.withMessageContaining("SIGTSTP");
		server("java", QUEUE, "mail");
		assertThat(servers.ask("java", true)).isEqualTo(new ServerOperations.Asked("java", true));
	}

	@Test
	void nobodyHasUnknownPeriodicTask() {
		SchedulerOperations schedulers = new SchedulerOperations(this.inspector, this.client, null, null);
		assertThatExceptionOfType(PeriodicTaskNotFoundException.class).isThrownBy(() -> schedulers.runNow("none"));
		assertThatExceptionOfType(PeriodicTaskNotFoundException.class)
			.isThrownBy(() -> schedulers.events("none", null, null));
	}

	private List<TaskInfo> enqueue(int count, TaskOptions options) {
		return enqueue("t", count, options);
	}

	private List<TaskInfo> enqueue(String type, int count, TaskOptions options) {
		List<Task> all = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			all.add(Task.of(type, "payload " + i));
		}
		return this.client.enqueueAll(all, options).stream().map(EnqueueAttempt::orThrow).toList();
	}

	private void server(String name, String queue, String type) {
		ServerIdentity identity = new ServerIdentity("host", 1, name);
		Duration life = Duration.ofMinutes(5);
		this.broker.servers().enlist(identity, life);
		this.broker.servers()
			.write(new ServerSnapshot(identity, 1, new QueueWeights(Map.of(queue, 1), false), "active",
					Clock.systemUTC().instant(), List.of(), Map.of()), life);
		this.broker.servers().writeTypes(identity, ServedTypes.text(List.of(type), List.of()), life);
	}

	private void command(String name, String... arguments) {
		try (RedisConnection connection = this.factory.getConnection()) {
			byte[][] bytes = new byte[arguments.length][];
			for (int i = 0; i < bytes.length; i++) {
				bytes[i] = arguments[i].getBytes();
			}
			connection.execute(name, bytes);
		}
	}

}
