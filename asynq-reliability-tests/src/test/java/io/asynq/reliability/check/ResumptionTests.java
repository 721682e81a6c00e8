package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.reliability.ledger.Aggregations;
import io.asynq.reliability.ledger.Explains;
import io.asynq.reliability.ledger.FaultWindow;
import io.asynq.reliability.ledger.Fires;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.ledger.Run;
import io.asynq.reliability.ledger.RunOutcome;
import io.asynq.reliability.ledger.Taken;
import io.asynq.reliability.ledger.TaskKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResumptionTests {

	private static final TaskKey TASK = new TaskKey("low", "t1");

	private static final TaskKey OTHER = new TaskKey("low", "t2");

	private static final Instant KILL = Instant.ofEpochSecond(1_000_000);

	private static final Promise PROMISE = new Promise(Duration.ofSeconds(42), Duration.ofSeconds(30),
			Duration.ofSeconds(10));

	private final List<Run> runs = new ArrayList<>();

	private final List<Taken> taken = new ArrayList<>();

	private final List<FaultWindow> kills = new ArrayList<>();

	@Test
	void lastsUntilWhatWasCutShortIsTakenUpAgain() {
		runs(TASK, "java-1", -2, false);
		kill("java-1", 0);
		takes("java-2", 40);
		runs(TASK, "java-2", 41, true);
		assertThat(Resumption.longest(ledger())).isEqualTo(Duration.ofSeconds(40));
	}

	@Test
	void lastsUntilAWorkerThatDoesNotSayWhatItTakesRunsIt() {
		runs(TASK, "java-1", -2, false);
		kill("java-1", 0);
		runs(TASK, "go-2", 3, true);
		assertThat(Resumption.longest(ledger())).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void countsTwoKillsThatHitOneTaskEachByItself() {
		runs(TASK, "java-1", -2, false);
		kill("java-1", 0);
		takes("java-2", 37);
		kill("java-2", 38);
		runs(TASK, "java-3", 76, true);
		assertThat(Resumption.of(ledger())).extracting(Resumption::time)
			.containsExactly(Duration.ofSeconds(37), Duration.ofSeconds(38));
	}

	@Test
	void isWholeWhereNobodyElseTookTheTaskInBetween() {
		runs(TASK, "java-1", -2, false);
		kill("java-1", 0);
		kill("java-2", 38);
		runs(TASK, "java-3", 76, true);
		assertThat(Resumption.longest(ledger())).isEqualTo(Duration.ofSeconds(76));
		assertThat(late()).isTrue();
	}

	@Test
	void isLateBeyondThePromiseWhereSomebodyWatchedTheLease() {
		recoveredAfter(42);
		runs(OTHER, "java-2", 20, true);
		assertThat(late()).isFalse();
		this.runs.clear();
		recoveredAfter(43);
		runs(OTHER, "java-2", 20, true);
		assertThat(late()).isTrue();
	}

	@Test
	void mayTakeAsLongAsWatchingMoreWhereAllWhoWatchedWereKilledOrCameTooLate() {
		recoveredAfter(52);
		runs(OTHER, "java-2", 1, true);
		kill("java-2", 25);
		runs(OTHER, "java-3", 21, true);
		runs(OTHER, "go-4", 1, true);
		assertThat(late()).isFalse();
		this.runs.clear();
		recoveredAfter(53);
		assertThat(late()).isTrue();
	}

	@Test
	void isNotWatchedByAWorkerThatWasKilledBefore() {
		runs(OTHER, "java-2", -20, true);
		kill("java-2", -10);
		recoveredAfter(50);
		assertThat(late()).isFalse();
	}

	private void recoveredAfter(int seconds) {
		runs(TASK, "java-1", -2, false);
		kill("java-1", 0);
		runs(TASK, "java-9", seconds, true);
	}

	private void runs(TaskKey task, String worker, int second, boolean toItsEnd) {
		Instant start = KILL.plusSeconds(second);
		this.runs.add(new Run(task, 0, worker, start, toItsEnd ? start.plusMillis(1) : null,
				toItsEnd ? RunOutcome.OK : null));
	}

	private void takes(String worker, int second) {
		this.taken.add(new Taken(TASK, worker, KILL.plusSeconds(second)));
	}

	private void kill(String worker, int second) {
		Instant start = KILL.plusSeconds(second);
		this.kills.add(new FaultWindow("sigkill", worker, Explains.ANY, start, start.plusMillis(1), "SIGKILL"));
	}

	private boolean late() {
		Ledger ledger = ledger();
		Rules rules = new Rules(Duration.ofSeconds(80), Duration.ZERO, PROMISE, KILL.plusSeconds(100));
		return !new ResumedInTime()
			.check(new Evidence(ledger, Map.of(), new Digests(ledger, Map.of()), Set.of(), rules))
			.isEmpty();
	}

	private Ledger ledger() {
		Map<TaskKey, List<Run>> runs = new HashMap<>();
		this.runs.forEach((run) -> runs.computeIfAbsent(run.task(), (task) -> new ArrayList<>()).add(run));
		return new Ledger(Map.of(), runs, Map.of(TASK, this.taken), this.kills, new Aggregations(Map.of(), Map.of()),
				new Fires(List.of(), List.of()));
	}

}
