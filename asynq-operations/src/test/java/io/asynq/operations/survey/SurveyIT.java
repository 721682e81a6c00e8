package io.asynq.operations.survey;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.AsynqException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.operations.preflight.StoreSurvey;
import io.asynq.server.QueueWeights;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What people see of many queues and tasks at once, on a real Redis.
 */
@ExtendWith(RedisExtension.class)
class SurveyIT {

	private static final String QUEUE = "default";

	private static final TaskRange PENDING = new TaskRange(QUEUE, TaskState.PENDING, null);

	private static final Clock CLOCK = Clock.systemUTC();

	private RedisState state;

	private RedisBroker broker;

	@BeforeEach
	void connect(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.broker = new RedisBroker(factory, CLOCK, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
	}

	@Test
	void looksAtSoManyTasksPerCallAndSaysAtHowManyOfHowMany() {
		this.state.seedMany(QUEUE, "pending", 1100, 0);
		this.state.seedPending(RedisState.message(QUEUE, "rare-1").build(),
				RedisState.message(QUEUE, "rare-2").build());
		TaskSearch search = search(500);
		TaskFilter rare = TaskFilter.parse("id:rare-*");
		FoundTasks<String> first = search.find(PENDING, rare, null, 30, TaskInfo::id);
		assertThat(first.entries()).isEmpty();
		assertThat(first.scanned()).isEqualTo(500);
		assertThat(first.total()).isEqualTo(1102);
		assertThat(first.complete()).isFalse();
		FoundTasks<String> second = search.find(PENDING, rare, first.next(), 30, TaskInfo::id);
		FoundTasks<String> third = search.find(PENDING, rare, second.next(), 30, TaskInfo::id);
		assertThat(third.entries()).containsExactly("rare-1", "rare-2");
		assertThat(third.scanned()).isEqualTo(1102);
		assertThat(third.complete()).isTrue();
	}

	@Test
	void findsEachTaskOnceFromPageToPage() {
		this.state.seedMany(QUEUE, "pending", 700, 0);
		for (String filter : new String[] { "", "id:t" }) {
			Set<String> seen = new HashSet<>();
			List<String> all = new ArrayList<>();
			String next = null;
			do {
				FoundTasks<String> page = search(10_000).find(PENDING, TaskFilter.parse(filter), next, 90,
						TaskInfo::id);
				all.addAll(page.entries());
				next = page.next();
			}
			while (next != null);
			seen.addAll(all);
			assertThat(all).as("filter '%s'", filter).hasSize(700);
			assertThat(seen).hasSize(700);
		}
	}

	@Test
	void tasksThatCannotBeDecodedHideNoOther() {
		this.state.seedMany(QUEUE, "archived", 300, 5);
		for (int i = 0; i < 300; i += 3) {
			this.state.seedField(QUEUE, String.format("t%05d", i), "msg", new byte[] { (byte) 0xFF });
		}
		Set<String> seen = new HashSet<>();
		String next = null;
		do {
			FoundTasks<String> page = search(10_000).find(new TaskRange(QUEUE, TaskState.ARCHIVED, null),
					TaskFilter.parse("id:t"), next, 7, TaskInfo::id);
			seen.addAll(page.entries());
			next = page.next();
		}
		while (next != null);
		assertThat(seen).hasSize(200);
	}

	@Test
	void searchesGroups() {
		this.state.seedGrouped(CLOCK.instant(), RedisState.message(QUEUE, "a").group("g").build(),
				RedisState.message(QUEUE, "b").group("h").build());
		FoundTasks<String> found = search(100).find(new TaskRange(QUEUE, TaskState.AGGREGATING, "g"), TaskFilter.all(),
				null, 30, TaskInfo::id);
		assertThat(found.entries()).containsExactly("a");
		assertThat(found.total()).isEqualTo(1);
	}

	@Test
	void refusesWhatMakesNoSense() {
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> search(100).find(PENDING, TaskFilter.all(), null, 30, TaskInfo::id));
		this.state.seedMany(QUEUE, "pending", 1, 0);
		for (String cursor : new String[] { "x", "-1", "1.5", "9999999999999" }) {
			assertThatExceptionOfType(AsynqException.class)
				.isThrownBy(() -> search(100).find(PENDING, TaskFilter.all(), cursor, 30, TaskInfo::id))
				.withMessageContaining("'cursor'");
		}
		for (int size : new int[] { 0, 201 }) {
			assertThatExceptionOfType(AsynqException.class)
				.isThrownBy(() -> search(100).find(PENDING, TaskFilter.all(), null, size, TaskInfo::id))
				.withMessageContaining("'size'");
		}
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> new TaskRange(QUEUE, TaskState.AGGREGATING, null))
			.withMessageContaining("'group'");
	}

	@Test
	void groupsFailuresByTypeAndWhatErrorsHaveInCommon() {
		Instant now = CLOCK.instant().truncatedTo(ChronoUnit.SECONDS);
		for (int i = 0; i < 40; i++) {
			TaskMessage.Builder failed = RedisState.message((i % 2 == 0) ? "a" : "b", "t" + i)
				.errorMessage("dial tcp 10.0.0." + i + ":443: refused after " + i + " ms")
				.lastFailedAtSeconds(now.getEpochSecond() - 60L * i);
			if (i % 4 < 2) {
				this.state.seedRetry(now.plusSeconds(i), failed.build());
			}
			else {
				this.state.seedArchived(now.minusSeconds(i), failed.build());
			}
		}
		this.state.seedArchived(now, RedisState.message("a", "other").errorMessage("boom").build());
		FailureGroups failures = new FailureGroups(search(10_000), CLOCK);
		FailureGroups.Found<String> found = failures.find(board().queues(), FailureGroups.STATES, null, null,
				TaskInfo::id);
		assertThat(found.scanned()).isEqualTo(41);
		assertThat(found.total()).isEqualTo(41);
		assertThat(found.next()).isNull();
		assertThat(found.groups()).extracting(FailureGroup::signature)
			.containsExactly("dial tcp <*>: refused after <*> ms", "boom");
		FailureGroup<String> refused = found.groups().get(0);
		assertThat(refused.count()).isEqualTo(40);
		assertThat(refused.exact()).isTrue();
		assertThat(refused.queues()).isEqualTo(Map.of("a", 20L, "b", 20L));
		assertThat(refused.states()).isEqualTo(Map.of(TaskState.RETRY, 20L, TaskState.ARCHIVED, 20L));
		assertThat(refused.latestLastFailure()).isEqualTo(now);
		assertThat(refused.earliestLastFailure()).isEqualTo(now.minusSeconds(60 * 39));
		assertThat(refused.lastHour()).hasSize(12);
		assertThat(refused.lastHour().stream().mapToLong(Long::longValue).sum()).isEqualTo(40);
		assertThat(refused.lastHour().get(11)).isBetween(4L, 6L);
		assertThat(refused.samples()).hasSize(3).contains("t0");
	}

	@Test
	void whatHasNotFailedIsInNoGroup() {
		Instant now = CLOCK.instant();
		this.state.seedArchived(now, RedisState.message("a", "archived by hand").build(),
				RedisState.message("a", "failed, without a text").lastFailedAtSeconds(now.getEpochSecond()).build(),
				RedisState.message("a", "failed in Go").errorMessage("boom").build());
		this.state.seedRetry(now.plusSeconds(60), RedisState.message("b", "postponed").build());
		new LimitSeeds(this.broker).concurrent("pdf", 1).hold("c", "runs", "pdf").park("c", "waits", "pdf");
		FailureGroups failures = new FailureGroups(search(100), CLOCK);
		FailureGroups.Found<String> found = failures.find(board().queues(), FailureGroups.STATES, null, null,
				TaskInfo::id);
		assertThat(found.groups()).flatExtracting(FailureGroup::samples)
			.containsExactlyInAnyOrder("failed, without a text", "failed in Go");
	}

	@Test
	void countsAreExactOnlyIfNoFailureCameOrWentMeanwhile() {
		Instant now = CLOCK.instant();
		this.state.seedRetry(now.plusSeconds(60), RedisState.message("a", "r").errorMessage("boom").build());
		this.state.seedArchived(now, RedisState.message("a", "d").errorMessage("bang").build());
		Runnable archive = () -> this.broker.tasks().move("a", TaskMove.ARCHIVE, List.of("r"));
		Runnable delete = () -> this.broker.tasks().move("a", TaskMove.DELETE, List.of("d"));
		Runnable fail = () -> {
			this.state.seedRetry(now, RedisState.message("a", "new").errorMessage("boom").build());
			this.state.redis().opsForValue().increment("asynq:{a}:failed");
		};
		Runnable leave = () -> this.state.redis().opsForZSet().remove("asynq:{a}:retry", "new");
		assertThat(exactWhile(() -> {
		})).containsOnly(true);
		assertThat(exactWhile(fail)).as("one more fails").containsOnly(false);
		assertThat(exactWhile(() -> {
			leave.run();
			fail.run();
		})).as("one leaves, another fails").containsOnly(false);
		assertThat(exactWhile(leave)).as("one leaves").containsOnly(false);
		assertThat(exactWhile(archive)).as("one is archived").containsOnly(false);
		assertThat(exactWhile(delete)).as("one is deleted").containsOnly(false);
		assertThat(exactWhile(() -> {
		})).containsOnly(true);
	}

	private List<Boolean> exactWhile(Runnable happens) {
		AtomicReference<Runnable> once = new AtomicReference<>(happens);
		FailureGroups failures = new FailureGroups(search(100), CLOCK);
		return failures.find(board().queues(), FailureGroups.STATES, null, null, (task) -> {
			once.getAndSet(() -> {
			}).run();
			return task.id();
		}).groups().stream().map(FailureGroup::exact).toList();
	}

	@Test
	void groupIsListedWithAllItsTasksOfQueuesAndStatesNewestFirst() {
		Instant now = CLOCK.instant().truncatedTo(ChronoUnit.SECONDS);
		for (int i = 0; i < 600; i++) {
			TaskMessage.Builder failed = RedisState.message("a", String.format("a%03d", i))
				.errorMessage(
						(i % 2 == 0) ? "502 Bad Gateway for user" + i + "@example.com" : "503 Service Unavailable")
				.lastFailedAtSeconds(now.getEpochSecond() - 600 + i);
			this.state.seedArchived(now.minusSeconds(600 - i), failed.build());
		}
		this.state.seedRetry(now.plusSeconds(5),
				RedisState.message("b", "b1").errorMessage("502 Bad Gateway for x@example.com").build());
		this.state.seedArchived(now, RedisState.message("c", "c1").errorMessage("502 Bad Gateway for x").build());
		String key = new FailureKey("email:send", "502 Bad Gateway for <email>").text();
		List<String> ids = listed(key, FailureGroups.STATES, 100);
		assertThat(ids).hasSize(301).doesNotHaveDuplicates().startsWith("a598", "a596").endsWith("a000", "b1");
		assertThat(listed(key, List.of(TaskState.RETRY), 100)).containsExactly("b1");
		assertThat(listed(key, List.of(TaskState.ARCHIVED), 1)).hasSize(300);
		assertThat(listed(new FailureKey("email:send", "gone").text(), FailureGroups.STATES, 100)).isEmpty();
	}

	@Test
	void searchFindsTypesAndErrorsAsTheyWereWritten() {
		String[] errors = { "502 Bad Gateway", "template welcome_v2 is missing", "template welcome_v3 is missing",
				"order 4711 is gone", "user \"bob\" is unknown", "Müller\nat line 17" };
		for (int i = 0; i < errors.length; i++) {
			this.state.seedArchived(CLOCK.instant(), RedisState.message("a", "t" + i).errorMessage(errors[i]).build());
		}
		assertThat(found("502")).containsExactly("502 Bad Gateway");
		assertThat(found("welcome_v2")).containsExactly("template welcome_v<*> is missing");
		assertThat(found("4711")).containsExactly("order <*> is gone");
		assertThat(found("BOB")).containsExactly("user <text> is unknown");
		assertThat(found("müller")).containsExactly("Müller");
		assertThat(found("line 17")).containsExactly("Müller");
		assertThat(found("email:send")).hasSize(5);
		assertThat(found("welcome_v4")).isEmpty();
	}

	private List<String> found(String text) {
		return new FailureGroups(search(10_000), CLOCK)
			.find(board().queues(), FailureGroups.STATES, text, null, TaskInfo::id)
			.groups()
			.stream()
			.filter(FailureGroup::found)
			.map(FailureGroup::signature)
			.toList();
	}

	private List<String> listed(String key, List<TaskState> states, int size) {
		FailureGroups failures = new FailureGroups(search(500), CLOCK);
		List<String> ids = new ArrayList<>();
		String next = null;
		do {
			FoundTasks<String> part = failures.tasks(board().queues(), states, key, next, size, TaskInfo::id);
			ids.addAll(part.entries());
			next = part.next();
		}
		while (next != null);
		return ids;
	}

	@Test
	void failuresBeyondTheLimitAreSaidAndComeWithTheNextCall() {
		this.state.seedMany("a", "archived", 700, 5);
		this.state.seedMany("b", "retry", 500, 5);
		FailureGroups failures = new FailureGroups(search(500), CLOCK);
		List<Long> scanned = new ArrayList<>();
		long counted = 0;
		String next = null;
		do {
			FailureGroups.Found<String> part = failures.find(board().queues(), FailureGroups.STATES, null, next,
					TaskInfo::id);
			assertThat(part.groups().get(0).exact()).isFalse();
			assertThat(part.total()).isEqualTo(1200);
			counted += part.groups().stream().mapToLong(FailureGroup::count).sum();
			scanned.add(part.scanned());
			next = part.next();
		}
		while (next != null);
		assertThat(scanned).containsExactly(500L, 1000L, 1200L);
		assertThat(counted).isEqualTo(1200);
	}

	@Test
	void tellsLockAndLeaseOfTask() {
		Instant end = CLOCK.instant().plusSeconds(30).truncatedTo(ChronoUnit.SECONDS);
		this.state.seedActive(end, RedisState.message(QUEUE, "t1").uniqueKey("asynq:{default}:unique:x:1").build());
		this.state.seedLock("asynq:{default}:unique:x:1", "t1");
		TaskSurvey.Standing standing = new TaskSurvey(this.broker)
			.standing(this.broker.tasks().find(QUEUE, "t1").orElseThrow());
		assertThat(standing.lock()).isEqualTo("asynq:{default}:unique:x:1");
		assertThat(standing.lockEndsIn()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
		assertThat(standing.leaseEnds()).isEqualTo(end);
		assertThat(standing.leased()).isTrue();
	}

	@Test
	void lockOfAnotherTaskIsNotTold() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").uniqueKey("asynq:{default}:unique:x:1").build());
		this.state.seedLock("asynq:{default}:unique:x:1", "another");
		assertThat(new TaskSurvey(this.broker).standing(this.broker.tasks().find(QUEUE, "t1").orElseThrow()))
			.isEqualTo(new TaskSurvey.Standing(null, null, null, false));
	}

	@Test
	void groupedTaskHasLockOfItsPayload() {
		this.state.seedGrouped(CLOCK.instant(), RedisState.message(QUEUE, "t1").group("g").build());
		String lock = "asynq:{default}:unique:email:send:1181f89307fa271072c095747d5813cc";
		this.state.seedLock(lock, "t1");
		assertThat(new TaskSurvey(this.broker).standing(this.broker.tasks().find(QUEUE, "t1").orElseThrow()).lock())
			.isEqualTo(lock);
	}

	@Test
	void countsRetriesOfTheNextMinutes() {
		Instant now = CLOCK.instant();
		this.state.seedRetry(now.minusSeconds(500), RedisState.message(QUEUE, "due").build());
		this.state.seedRetry(now.plusSeconds(30), RedisState.message(QUEUE, "soon").build());
		this.state.seedRetry(now.plusSeconds(150), RedisState.message(QUEUE, "later").build());
		this.state.seedRetry(now.plusSeconds(9000), RedisState.message(QUEUE, "too late").build());
		List<Long> ahead = new TaskSurvey(this.broker).retriesAhead(QUEUE, Duration.ofMinutes(1), 30);
		assertThat(ahead).hasSize(30);
		assertThat(ahead.get(0)).isEqualTo(2);
		assertThat(ahead.stream().mapToLong(Long::longValue).sum()).isEqualTo(3);
	}

	@Test
	void tellsSinceWhenQueuesArePaused() {
		this.state.redis().opsForValue().set("asynq:{a}:paused", "1700000000");
		this.state.redis().opsForValue().set("asynq:{b}:paused", "no time");
		assertThat(new TaskSurvey(this.broker).pausedSince(List.of("a", "b", "c")))
			.isEqualTo(Map.of("a", Instant.ofEpochSecond(1_700_000_000)));
	}

	@Test
	void tellsLiveServersWithTheirTypesAndThoseThatHaveGone() {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		this.broker.servers().enlist(identity, Duration.ofSeconds(10));
		this.broker.servers()
			.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(QUEUE, 3), true), "active", CLOCK.instant(),
					List.of(), Map.of(QUEUE, 2)), Duration.ofSeconds(10));
		this.broker.servers().writeTypes(identity, "=mail\0^report:", Duration.ofSeconds(10));
		this.state.redis().opsForZSet().add("asynq:servers", "asynq:servers:{gone:1:x}", 1_700_000_000);
		this.state.redis().opsForZSet().add("asynq:servers", "something else", 1_700_000_000);
		FleetSurvey.Fleet fleet = new FleetSurvey(this.broker, CLOCK).look();
		assertThat(fleet.live()).singleElement().satisfies((server) -> {
			assertThat(server.isJava()).isTrue();
			assertThat(server.served().includes("report:daily")).isTrue();
			assertThat(server.ahead()).isZero();
			assertThat(server.info().held()).isEqualTo(Map.of(QUEUE, 2));
		});
		assertThat(fleet.lost())
			.containsExactly(new FleetSurvey.Lost("gone:1:x", Instant.ofEpochSecond(1_700_000_000)));
	}

	@Test
	void serversKeepTheirOrderWhicheverWasHeardOfLast() {
		List<ServerIdentity> identities = List.of(new ServerIdentity("a", 7, "x"), new ServerIdentity("a", 7, "y"),
				new ServerIdentity("a", 10, "b"), new ServerIdentity("b", 1, "a"));
		for (ServerIdentity identity : identities) {
			this.broker.servers().enlist(identity, Duration.ofSeconds(10));
			this.broker.servers()
				.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(QUEUE, 3), true), "active",
						CLOCK.instant(), List.of(), Map.of()), Duration.ofSeconds(10));
		}
		for (ServerIdentity last : identities) {
			this.state.redis()
				.opsForZSet()
				.add("asynq:servers", "asynq:servers:{%s:%d:%s}".formatted(last.host(), last.pid(), last.serverId()),
						CLOCK.instant().getEpochSecond() + 11);
			assertThat(new FleetSurvey(this.broker, CLOCK).look().live()).extracting((server) -> server.info().id())
				.containsExactly("x", "y", "b", "a");
		}
	}

	@Test
	void tellsByHowMuchTheClockOfAServerIsWrong() {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		this.broker.servers().enlist(identity, Duration.ofSeconds(10));
		this.broker.servers()
			.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(QUEUE, 3), true), "active", CLOCK.instant(),
					List.of(), Map.of()), Duration.ofSeconds(10));
		String key = "asynq:servers:{host:7:uuid}";
		this.state.redis().opsForZSet().add("asynq:servers", key, CLOCK.instant().getEpochSecond() + 610);
		assertThat(new FleetSurvey(this.broker, CLOCK).look().live().get(0).ahead()).isBetween(Duration.ofSeconds(550),
				Duration.ofSeconds(600));
		this.state.redis().opsForZSet().add("asynq:servers", key, CLOCK.instant().getEpochSecond() - 600);
		assertThat(new FleetSurvey(this.broker, CLOCK).look().live().get(0).ahead()).isBetween(Duration.ofSeconds(-650),
				Duration.ofSeconds(-599));
	}

	@Test
	void tellsWhatRedisSaysOfItself() {
		assertThat(new StoreSurvey(this.broker).nodes()).singleElement()
			.satisfies(
					(node) -> assertThat(node.info()).containsKeys("redis_version", "maxmemory_policy", "used_memory"));
	}

	@Test
	void readsAllQueuesInFewScripts() {
		for (int i = 0; i < 300; i++) {
			this.state.redis().opsForSet().add("asynq:queues", "q" + i);
		}
		this.state.seedMany("q7", "pending", 3, 0);
		this.state.redis().opsForValue().set("asynq:{q8}:processed", "5");
		QueueBoard.Board board = board();
		assertThat(board.queues()).hasSize(300);
		assertThat(board.totals()).containsEntry(TaskState.PENDING, 3L).containsEntry(TaskState.ACTIVE, 0L);
		assertThat(board.unreadable()).isEmpty();
	}

	@Test
	void largePayloadsAreReadOneSliceAtATime() {
		byte[] large = "x".repeat(1024 * 1024).getBytes(StandardCharsets.UTF_8);
		for (int i = 0; i < 12; i++) {
			this.state.seedPending(RedisState.message(QUEUE, "big" + i).payload(large).build());
		}
		TaskSurvey.Slice slice = new TaskSurvey(this.broker).slice(QUEUE, TaskState.PENDING, null, 0, 200);
		assertThat(slice.looked()).isBetween(3, 4);
		assertThat(search(100).find(PENDING, TaskFilter.all(), null, 200, TaskInfo::id).entries()).hasSize(12);
	}

	private QueueBoard.Board board() {
		return new QueueBoard(this.broker, CLOCK).read();
	}

	private TaskSearch search(int limit) {
		return new TaskSearch(this.broker, CLOCK, limit);
	}

}
