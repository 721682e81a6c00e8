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

import io.asynq.test.ledger.Enqueued;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.Run;
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

/** Each planted violation is found under its name. */
@RequiresGo
class CheckerIT {

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
	void passesCleanRun() {
		Verdict verdict = run.judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.tasks()).isBetween(200L, 250L);
		assertThat(verdict.runs()).isGreaterThan(verdict.tasks());
		assertThat(verdict.explained()).isEmpty();
	}

	@Test
	void findsDeletedTask() {
		TaskKey task = stored("archived");
		redis((jedis) -> {
			jedis.del(key(task));
			jedis.zrem(key(task.queue(), "archived"), task.id());
		});
		Verdict verdict = run.judge();
		assertThat(verdict.lost()).isEqualTo(1);
		assertThat(verdict.passed()).isFalse();
		assertThat(finding(verdict, "nothing-lost").detail()).contains("ACKNOWLEDGED").contains("Redis: null");
	}

	@Test
	void countsDeletedTaskSeparatelyWhereRedisMayLoseIt() {
		TaskKey task = stored("archived");
		redis((jedis) -> {
			jedis.del(key(task));
			jedis.zrem(key(task.queue(), "archived"), task.id());
		});
		Instant enqueued = run.ledger().enqueued().get(task).time();
		window(FaultWindow.ALL, Explains.ANY, enqueued.plusMillis(500), enqueued.plusMillis(600));
		Rules rules = new Rules(Duration.ofSeconds(75), Duration.ofSeconds(2), null, Clock.systemUTC().instant());
		Verdict verdict = run.judge(rules);
		assertThat(verdict.lost()).isZero();
		assertThat(verdict.lostByRedis()).isEqualTo(1);
	}

	@Test
	void findsIdInSecondContainer() {
		TaskKey task = stored("completed");
		redis((jedis) -> jedis.zadd(key(task.queue(), "archived"), 1, task.id()));
		assertThat(run.judge().count("one-container")).isEqualTo(1);
	}

	@Test
	void findsDuplicateIdInContainer() {
		redis((jedis) -> {
			jedis.hset("asynq:{low}:t:twice", "state", "pending");
			jedis.lpush("asynq:{low}:pending", "twice", "twice");
		});
		assertThat(run.judge().count("one-container")).isEqualTo(1);
	}

	@Test
	void findsStateThatDiffersFromContainer() {
		TaskKey task = stored("completed");
		redis((jedis) -> jedis.hset(key(task), "state", "retry"));
		assertThat(run.judge().count("state-is-container")).isEqualTo(1);
	}

	@Test
	void findsStuckIdWithoutHash() {
		redis((jedis) -> jedis.lpush("asynq:{low}:pending", "ghost"));
		Verdict verdict = run.judge();
		assertThat(verdict.count("state-is-container")).isEqualTo(1);
		assertThat(verdict.stuck()).isEqualTo(1);
	}

	@Test
	void findsHashInNoContainer() {
		redis((jedis) -> jedis.hset("asynq:{low}:t:orphan", "state", "pending"));
		assertThat(run.judge().count("no-orphans")).isEqualTo(1);
	}

	@Test
	void findsTaskArchivedWithoutReason() {
		TaskKey task = stored("completed");
		redis((jedis) -> {
			jedis.hset(key(task), "state", "archived");
			jedis.zrem(key(task.queue(), "completed"), task.id());
			jedis.zadd(key(task.queue(), "archived"), 1, task.id());
		});
		assertThat(run.judge().count("archived-for-a-reason")).isEqualTo(1);
	}

	@Test
	void findsWrongCounters() {
		redis((jedis) -> {
			jedis.incr("asynq:{low}:processed");
			jedis.decr("asynq:{critical}:failed");
		});
		Verdict verdict = run.judge();
		assertThat(verdict.findings()).filteredOn((finding) -> finding.invariant().equals("counters-match-ledger"))
			.extracting(Finding::subject)
			.contains("low", "critical")
			.doesNotContain("default");
	}

	@Test
	void findsLeftoverLease() {
		redis((jedis) -> jedis.zadd("asynq:{low}:lease", 1, "gone"));
		Verdict verdict = run.judge();
		assertThat(verdict.count("nothing-left-over")).isEqualTo(1);
		assertThat(verdict.count("leases-match-active")).isEqualTo(1);
	}

	@Test
	void findsMissingLease() {
		redis((jedis) -> {
			jedis.hset("asynq:{low}:t:bare", "state", "active");
			jedis.lpush("asynq:{low}:active", "bare");
		});
		assertThat(finding(run.judge(), "leases-match-active").detail()).contains("no lease");
	}

	@Test
	void findsLockOfMissingTask() {
		redis((jedis) -> jedis.set("asynq:{low}:unique:work:abc", "gone"));
		assertThat(run.judge().count("nothing-left-over")).isEqualTo(1);
	}

	@Test
	void findsEntriesOfServersAndWorkers() {
		redis((jedis) -> {
			jedis.set("asynq:servers:{host:1:id}", "entry");
			jedis.hset("asynq:workers:{host:1:id}", "task", "entry");
		});
		assertThat(run.judge().count("nothing-left-over")).isEqualTo(2);
	}

	@Test
	void findsUnexplainedDoubleRun() {
		runAgain(succeeded(), RunOutcome.OK);
		Verdict verdict = run.judge();
		assertThat(verdict.doubledUnexplained()).isEqualTo(1);
		assertThat(verdict.doubledExplained()).isZero();
	}

	@Test
	void faultAtThatMomentExplainsDoubleRun() {
		Run first = succeeded();
		runAgain(first, RunOutcome.OK);
		window(first.worker(), Explains.ANY, first.start(), first.start().plusMillis(1));
		Verdict verdict = run.judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.explained()).isEqualTo(Map.of("planted", 1));
	}

	@Test
	void faultOfAnotherWorkerExplainsNothing() {
		Run first = succeeded();
		runAgain(first, RunOutcome.OK);
		window("another", Explains.ANY, first.start(), first.start().plusMillis(1));
		assertThat(run.judge().doubledUnexplained()).isEqualTo(1);
	}

	@Test
	void earlierFaultExplainsNothing() {
		Run first = succeeded();
		runAgain(first, RunOutcome.OK);
		window(FaultWindow.ALL, Explains.ANY, first.start().minusMillis(20), first.start().minusMillis(10));
		assertThat(run.judge().doubledUnexplained()).isEqualTo(1);
	}

	@Test
	void faultExplainsDoubleRunOnlyWithinRecoveryTime() {
		Run first = succeeded();
		runAgain(first, RunOutcome.OK);
		Instant again = run.ledger().runsOf(first.task()).get(1).start();
		window(first.worker(), Explains.ANY, first.start(), first.start().plusMillis(1));
		Rules rules = new Rules(Duration.between(first.start(), again).dividedBy(2), Duration.ZERO, null, again);
		assertThat(run.judge(rules).doubledUnexplained()).isEqualTo(1);
		window("another", Explains.ANY, again.minusSeconds(1), again.minusMillis(500));
		assertThat(run.judge(rules).doubledUnexplained()).isEqualTo(1);
		Instant later = first.start().plus(rules.recovery()).minusMillis(100);
		window(FaultWindow.ALL, Explains.NOTHING, later, later.plusMillis(200));
		assertThat(run.judge(rules).doubledUnexplained()).isZero();
	}

	@Test
	void faultThatMustNotRepeatTasksExplainsNothing() {
		Run first = succeeded();
		runAgain(first, RunOutcome.OK);
		window(FaultWindow.ALL, Explains.NOTHING, first.start(), first.start().plusMillis(1));
		window(FaultWindow.ALL, Explains.UNFINISHED, first.start(), first.start().plusMillis(1));
		window(FaultWindow.ALL, Explains.REQUEUED, first.start(), first.start().plusMillis(1));
		assertThat(run.judge().doubledUnexplained()).isEqualTo(1);
	}

	@Test
	void findsCompletedTaskWhoseLastRunFailed() {
		Run first = succeeded();
		runAgain(first, RunOutcome.FAILED);
		assertThat(run.judge().count("last-run-decides")).isEqualTo(1);
	}

	@Test
	void earlierAttemptBeginsLateOnlyOnWorkerThatStoodStill() {
		TaskKey task = retried(1);
		try (LedgerWriter planted = run.writer("planted")) {
			planted.ended(task, 0, planted.started(task, 0), RunOutcome.FAILED);
		}
		Run late = run.ledger().runsOf(task).get(2);
		assertThat(run.judge().findings()).extracting(Finding::invariant)
			.contains("doubled-runs-explained")
			.doesNotContain("last-run-decides");
		Run deciding = run.ledger().decidingRun(task);
		window(deciding.worker(), Explains.ANY, deciding.start(), deciding.start().plusMillis(1));
		window(late.worker(), Explains.UNFINISHED, late.start().minusMillis(1), late.start());
		window(late.worker(), Explains.ANY, late.start().minusSeconds(10), late.start().minusSeconds(4));
		window(late.worker(), Explains.ANY, late.start().plusMillis(1), late.start().plusMillis(2));
		assertThat(run.judge().doubledUnexplained()).isEqualTo(1);
		window(late.worker(), Explains.ANY, late.start().minusMillis(1), late.start().minusNanos(1000));
		assertThat(run.judge().findings()).isEmpty();
	}

	@Test
	void attemptThatBeginsLateDoesNotAccountForTheNextOne() {
		TaskKey task = retried(2);
		Instant between = run.ledger().runsOf(task).get(2).start().minusMillis(1);
		try (LedgerWriter planted = run.writer("planted", Clock.fixed(between, ZoneOffset.UTC))) {
			planted.ended(task, 0, planted.started(task, 0), RunOutcome.CANCELLED);
		}
		assertThat(run.ledger().runsOf(task)).extracting(Run::attempt).containsExactly(0, 1, 0, 2);
		assertThat(run.judge().doubledUnexplained()).isEqualTo(1);
		window("planted", Explains.ANY, between.minusMillis(1), between);
		assertThat(run.judge().findings()).isEmpty();
	}

	@Test
	void findsTooManyAttempts() {
		Run first = succeeded();
		int allowed = run.ledger().enqueued().get(first.task()).maxRetry();
		try (LedgerWriter planted = run.writer("planted")) {
			planted.ended(first.task(), allowed + 1, planted.started(first.task(), allowed + 1), RunOutcome.OK);
		}
		assertThat(run.judge().count("attempts-within-limit")).isEqualTo(1);
	}

	@Test
	void findsRunOfRejectedTask() {
		TaskKey task = new TaskKey("low", "refused");
		try (LedgerWriter planted = run.writer("planted")) {
			planted.enqueued(Enqueued.Answer.REFUSED, task, 0, "duplicate");
			planted.ended(task, 0, planted.started(task, 0), RunOutcome.OK);
		}
		assertThat(run.judge().count("only-enqueued-ran")).isEqualTo(1);
	}

	@Test
	void findsLateResumption() {
		Run first = succeeded();
		window(first.worker(), Explains.ANY, first.start(), first.start().plusMillis(1));
		runAgain(first, RunOutcome.OK);
		Instant now = Clock.systemUTC().instant();
		Duration late = Duration.between(first.start(), now);
		Duration recovery = Duration.ofSeconds(75);
		assertThat(run.judge(new Rules(recovery, Duration.ZERO, Resumes.within(late.plusSeconds(5)), now)).findings())
			.isEmpty();
		assertThat(run.judge(new Rules(recovery, Duration.ZERO, Resumes.within(late.minusSeconds(5)), now))
			.count("resumed-in-time")).isEqualTo(1);
	}

	@Test
	void checksMomentaryInvariants() {
		redis((jedis) -> jedis.lpush("asynq:{low}:active", "ghost"));
		Checker checker = new Checker(new RedisView(run.redis().connections()),
				new Inspectors(run.redis().connections(), Path.of("none"), null));
		assertThat(checker.glance(List.of("low", "critical"))).extracting(Finding::invariant)
			.containsExactlyInAnyOrder("state-is-container", "leases-match-active");
	}

	private static TaskKey stored(String state) {
		return run.ledger()
			.acknowledged()
			.stream()
			.filter((task) -> state.equals(run.redis().node().<String>call((jedis) -> jedis.hget(key(task), "state"))))
			.findFirst()
			.orElseThrow();
	}

	private static Run succeeded() {
		return run.ledger()
			.runs()
			.values()
			.stream()
			.filter((runs) -> runs.size() == 1 && runs.get(0).ended(RunOutcome.OK))
			.map((runs) -> runs.get(0))
			.filter((first) -> !run.redis().node().<Boolean>call((jedis) -> jedis.exists(key(first.task()))))
			.findFirst()
			.orElseThrow();
	}

	private static TaskKey retried(int retries) {
		return run.ledger()
			.runs()
			.values()
			.stream()
			.filter((runs) -> runs.size() == retries + 1 && runs.get(retries).ended(RunOutcome.OK))
			.map((runs) -> runs.get(0).task())
			.filter((task) -> !run.redis().node().<Boolean>call((jedis) -> jedis.exists(key(task))))
			.findFirst()
			.orElseThrow();
	}

	private static void runAgain(Run first, RunOutcome outcome) {
		try (LedgerWriter planted = run.writer("planted")) {
			planted.ended(first.task(), first.attempt(), planted.started(first.task(), first.attempt()), outcome);
		}
	}

	private static void window(String worker, Explains explains, Instant start, Instant end) {
		try (LedgerWriter planted = run.writer("planted-window")) {
			planted.window(new FaultWindow("planted", worker, explains, start, end, "planted"));
		}
	}

	private static Finding finding(Verdict verdict, String invariant) {
		return verdict.findings()
			.stream()
			.filter((finding) -> finding.invariant().equals(invariant))
			.findFirst()
			.orElseThrow();
	}

	private static void redis(Consumer<Jedis> use) {
		run.redis().node().<Void>call((jedis) -> {
			use.accept(jedis);
			return null;
		});
	}

	private static String key(TaskKey task) {
		return key(task.queue(), "t:" + task.id());
	}

	private static String key(String queue, String suffix) {
		return "asynq:{" + queue + "}:" + suffix;
	}

}
