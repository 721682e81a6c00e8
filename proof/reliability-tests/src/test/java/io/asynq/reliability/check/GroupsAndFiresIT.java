package io.asynq.reliability.check;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.asynq.reliability.load.Rhythm;
import io.asynq.test.ledger.Enqueued.Answer;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;
import io.asynq.test.process.RequiresGo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Each planted violation of groups and periodic tasks is found under its name. */
@RequiresGo
class GroupsAndFiresIT {

	private static final TaskKey MEMBER = new TaskKey("low", "member");

	private static final String JAVA = "java-planted";

	private static final String GO = "go-planted";

	private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:00.500Z");

	private static CleanRun run;

	@BeforeAll
	static void workOff(@TempDir Path folder) throws InterruptedException {
		run = new CleanRun(folder);
	}

	@AfterAll
	static void end() throws IOException {
		run.close();
	}

	@BeforeEach
	void restore() {
		run.restore();
	}

	@Test
	void passesCleanRunWithGroups() {
		assertThat(run.ledger().aggregations().given()).hasSizeGreaterThan(5)
			.containsOnlyKeys(run.ledger().aggregations().made().keySet());
		assertThat(run.judge().findings()).isEmpty();
	}

	@Test
	void findsTaskAggregatedTwice() {
		enqueued(Answer.ACKNOWLEDGED);
		digest(JAVA, "first");
		assertThat(run.judge().count("aggregated-once")).isZero();
		digest(GO, "second");
		Verdict verdict = run.judge();
		assertThat(verdict.count("aggregated-once")).isEqualTo(1);
		assertThat(verdict.doubledUnexplained()).isEqualTo(1);
	}

	@Test
	void harmToJavaServerExplainsNothing() {
		partOfTwo(JAVA);
		assertThat(run.judge().count("aggregated-once")).isEqualTo(1);
	}

	@Test
	void harmToGoServerExplainsDuplicate() {
		partOfTwo(GO);
		Verdict verdict = run.judge();
		assertThat(verdict.count("aggregated-once")).isZero();
		assertThat(verdict.explained()).isEqualTo(Map.of("planted", 1));
	}

	@Test
	void writeThatRedisMayForgetExplainsDuplicate() {
		partOfTwo(JAVA);
		Rules rules = new Rules(Duration.ofSeconds(75), Duration.ofSeconds(2), null, Clock.systemUTC().instant());
		assertThat(run.judge(rules).count("aggregated-once")).isZero();
	}

	@Test
	void laterHarmExplainsNothing() {
		enqueued(Answer.ACKNOWLEDGED);
		digest(GO, "first");
		digest(JAVA, "second");
		Instant later = Clock.systemUTC().instant().plusSeconds(6);
		window(GO, later);
		assertThat(run.judge().count("aggregated-once")).isEqualTo(1);
	}

	@Test
	void findsRemainingTaskThatWasAggregated() {
		TaskKey stored = run.ledger()
			.acknowledged()
			.stream()
			.filter((task) -> run.redis()
				.node()
				.<Boolean>call((jedis) -> jedis.exists(key(task.queue(), "t:" + task.id()))))
			.findFirst()
			.orElseThrow();
		try (LedgerWriter planted = run.writer(JAVA)) {
			TaskKey digest = new TaskKey(stored.queue(), "digest");
			planted.aggregated(digest, List.of(stored.id()));
			planted.given(digest, List.of(stored.id()));
		}
		assertThat(run.judge().count("aggregated-once")).isEqualTo(1);
	}

	@Test
	void findsMissingMember() {
		enqueued(Answer.ACKNOWLEDGED);
		assertThat(run.judge().lost()).isEqualTo(1);
		try (LedgerWriter planted = run.writer(JAVA)) {
			// Made but never stored
			planted.aggregated(new TaskKey("low", "first"), List.of(MEMBER.id()));
		}
		assertThat(run.judge().lost()).isEqualTo(1);
		digest(JAVA, "second");
		assertThat(run.judge().lost()).isZero();
	}

	@Test
	void findsMemberWhoseTaskNeverSucceeded() {
		enqueued(Answer.ACKNOWLEDGED);
		digest(JAVA, "first", RunOutcome.FAILED);
		assertThat(run.judge().lost()).isEqualTo(1);
	}

	@Test
	void findsRejectedMember() {
		enqueued(Answer.REFUSED);
		digest(JAVA, "first");
		assertThat(run.judge().count("only-enqueued-ran")).isEqualTo(1);
	}

	@Test
	void findsAggregateThatNoAggregatorMade() {
		enqueued(Answer.ACKNOWLEDGED);
		TaskKey digest = new TaskKey("low", "nobodys");
		try (LedgerWriter planted = run.writer(JAVA)) {
			planted.given(digest, List.of(MEMBER.id()));
			planted.ended(digest, 0, planted.started(digest, 0), RunOutcome.OK);
		}
		assertThat(run.judge().count("only-enqueued-ran")).isEqualTo(1);
	}

	@Test
	void findsTasksStuckInGroupAndStagedSet() {
		redis((jedis) -> {
			group(jedis, "low-9", "member");
			jedis.sadd("asynq:{low}:groups", "low-9");
			group(jedis, "low-9:set", "staged");
			jedis.zadd("asynq:{low}:aggregation_sets", 1, "asynq:{low}:g:low-9:set");
			group(jedis, "low-9:done", "aggregated");
			jedis.zadd("asynqj:{low}:aggregated", 1, "asynq:{low}:g:low-9:done");
		});
		Verdict verdict = run.judge();
		assertThat(verdict.stuck()).isEqualTo(3);
		assertThat(verdict.count("nothing-left-over")).isEqualTo(6);
		assertThat(verdict.count("no-orphans")).isZero();
		assertThat(verdict.count("inspectors-agree")).isZero();
	}

	@Test
	void findsUnlistedGroup() {
		redis((jedis) -> group(jedis, "low-9", "member"));
		Verdict verdict = run.judge();
		assertThat(verdict.stuck()).isEqualTo(1);
		assertThat(verdict.findings()).filteredOn((finding) -> finding.invariant().equals("inspectors-agree"))
			.extracting(Finding::subject)
			.containsExactlyInAnyOrder("AsynqInspector", "Go's Inspector");
	}

	@Test
	void checksMomentaryInvariantsOfGroups() {
		redis((jedis) -> {
			group(jedis, "low-9", "twice");
			jedis.sadd("asynq:{low}:groups", "low-9");
			group(jedis, "low-9:set", "twice");
			jedis.zadd("asynq:{low}:aggregation_sets", 1, "asynq:{low}:g:low-9:set");
			group(jedis, "low-9", "odd");
			jedis.hset("asynq:{low}:t:odd", "state", "pending");
		});
		Checker checker = new Checker(new RedisView(run.redis().connections()),
				new Inspectors(run.redis().connections(), Path.of("none"), null));
		assertThat(checker.glance(List.of("low")))
			.extracting((finding) -> finding.invariant() + " " + finding.subject())
			.containsExactlyInAnyOrder("one-container low/twice", "state-is-container low/odd");
	}

	@Test
	void findsLockOfTaskAggregatedByJava() {
		enqueued(Answer.ACKNOWLEDGED);
		redis((jedis) -> jedis.set("asynq:{low}:unique:member:abc", MEMBER.id()));
		digest(JAVA, "first");
		assertThat(run.judge().count("nothing-left-over")).isEqualTo(1);
	}

	@Test
	void acceptsLockOfTaskAggregatedByGo() {
		enqueued(Answer.ACKNOWLEDGED);
		redis((jedis) -> jedis.set("asynq:{low}:unique:member:abc", MEMBER.id()));
		digest(GO, "first");
		assertThat(run.judge().count("nothing-left-over")).isZero();
	}

	@Test
	void acceptsExpiringMarkersOnly() {
		long now = Clock.systemUTC().instant().getEpochSecond();
		redis((jedis) -> {
			jedis.zadd("asynqj:{low}:groups", now + 100, "low-9");
			jedis.setex("asynqj:{low}:fire:beat:2", 100, "1 x");
		});
		assertThat(run.judge().findings()).isEmpty();
		redis((jedis) -> {
			jedis.zadd("asynqj:{low}:groups", now + 1000, "low-8");
			jedis.set("asynqj:{low}:fire:beat:4", "1 x");
		});
		assertThat(run.judge().findings()).extracting(Finding::subject)
			.containsExactlyInAnyOrder("asynqj:{low}:groups", "asynqj:{low}:fire:beat:4");
	}

	@Test
	void findsEntriesAndHistoriesOfSchedulers() {
		redis((jedis) -> {
			jedis.lpush("asynq:schedulers:{host:1:id}", "entry");
			jedis.zadd("asynq:scheduler_history:beat", 1, "event");
		});
		assertThat(run.judge().count("nothing-left-over")).isEqualTo(2);
	}

	@Test
	void findsFireEnqueuedTwice() {
		fired(BEGIN.plusMillis(1500), "a");
		fired(BEGIN.plusMillis(1500), "a");
		assertThat(run.judge().findings()).isEmpty();
		fired(BEGIN.plusMillis(1500), "b");
		assertThat(run.judge().findings()).extracting(Finding::invariant).containsExactly("fired-once");
	}

	@Test
	void findsFireAtWrongTime() {
		fired(BEGIN.plusMillis(2500), "a");
		assertThat(run.judge().findings()).extracting(Finding::invariant).containsExactly("fired-once");
	}

	@Test
	void findsMissingFireWhileSchedulerWasRunning() {
		scheduler(Duration.ZERO, Duration.ofSeconds(6));
		fired(BEGIN.plusMillis(1500), "a");
		// The one after that came within two seconds before the end
		assertThat(run.judge().findings()).extracting(Finding::invariant, Finding::subject)
			.containsExactly(tuple("no-fire-missing", "beat of 2026-01-02T03:04:04Z"));
		fired(BEGIN.plusMillis(3500), "b");
		assertThat(run.judge().findings()).isEmpty();
	}

	@Test
	void expectsFiresByClockOfScheduler() {
		scheduler(Duration.ofSeconds(60), Duration.ofSeconds(4));
		assertThat(run.judge().findings()).extracting(Finding::subject).containsExactly("beat of 2026-01-02T03:05:02Z");
	}

	@Test
	void expectsNoFireAfterKill() {
		try (LedgerWriter planted = run.writer(JAVA, Clock.fixed(BEGIN, ZoneOffset.UTC))) {
			planted.scheduling(Duration.ZERO);
		}
		window(JAVA, BEGIN.plusSeconds(3));
		assertThat(run.judge().findings()).isEmpty();
		restore();
		try (LedgerWriter planted = run.writer(JAVA, Clock.fixed(BEGIN, ZoneOffset.UTC))) {
			planted.scheduling(Duration.ZERO);
		}
		window(JAVA, BEGIN.plusSeconds(5));
		assertThat(run.judge().count("no-fire-missing")).isEqualTo(1);
	}

	private static void partOfTwo(String first) {
		enqueued(Answer.ACKNOWLEDGED);
		window(first, digest(first, "first"));
		digest(JAVA, "second");
	}

	private static void enqueued(Answer answer) {
		try (LedgerWriter planted = run.writer("planted")) {
			planted.enqueued(answer, MEMBER, 0, "GROUPED");
		}
	}

	private static Instant digest(String worker, String id) {
		return digest(worker, id, RunOutcome.OK);
	}

	private static Instant digest(String worker, String id, RunOutcome outcome) {
		TaskKey digest = new TaskKey(MEMBER.queue(), id);
		try (LedgerWriter planted = run.writer(worker)) {
			planted.aggregated(digest, List.of(MEMBER.id()));
			planted.given(digest, List.of(MEMBER.id()));
			planted.ended(digest, 0, planted.started(digest, 0), outcome);
		}
		return run.ledger().aggregations().made().get(digest).time();
	}

	private static void window(String worker, Instant start) {
		try (LedgerWriter planted = run.writer("planted-window")) {
			planted.window(new FaultWindow("planted", worker, Explains.ANY, start, start.plusMillis(1), "planted"));
		}
	}

	private static void fired(Instant fire, String id) {
		try (LedgerWriter planted = run.writer("planted")) {
			planted.fired(new TaskKey(Rhythm.QUEUE, id), Rhythm.BEAT, fire.getEpochSecond());
		}
	}

	private static void scheduler(Duration ahead, Duration life) {
		try (LedgerWriter begins = run.writer(JAVA, Clock.fixed(BEGIN, ZoneOffset.UTC));
				LedgerWriter ends = run.writer(JAVA, Clock.fixed(BEGIN.plus(life), ZoneOffset.UTC))) {
			begins.scheduling(ahead);
			ends.schedulingEnds();
		}
	}

	private static void group(Jedis jedis, String group, String id) {
		jedis.zadd("asynq:{low}:g:" + group, 1, id);
		jedis.hset("asynq:{low}:t:" + id, "state", "aggregating");
	}

	private static void redis(Consumer<Jedis> use) {
		run.redis().node().<Void>call((jedis) -> {
			use.accept(jedis);
			return null;
		});
	}

	private static String key(String queue, String suffix) {
		return "asynq:{" + queue + "}:" + suffix;
	}

}
