package io.asynq.reliability.check;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.reliability.check.StandstillWatch.Standstill;
import io.asynq.test.ledger.Aggregations;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Fires;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.Taken;
import io.asynq.test.ledger.TaskKey;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ResumptionTests {

	private static final TaskKey TASK = new TaskKey("low", "t1");

	private static final Instant KILL = Instant.ofEpochSecond(1_000_000);

	private final List<Run> runs = new ArrayList<>();

	private final List<Taken> taken = new ArrayList<>();

	private final List<FaultWindow> kills = new ArrayList<>();

	private final List<Standstill> standstills = new ArrayList<>();

	@Test
	void lastsUntilInterruptedTaskRunsAgain() {
		runs("java-1", -2, false);
		kill("java-1", 0);
		takes("java-2", 38);
		runs("java-2", 40, true);
		assertThat(Resumption.longest(ledger())).isEqualTo(Duration.ofSeconds(40));
	}

	@Test
	void lastsUntilWorkerThatReportsNoTakesRunsTask() {
		runs("java-1", -2, false);
		kill("java-1", 0);
		runs("go-2", 3, true);
		assertThat(Resumption.longest(ledger())).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void countsTwoKillsOfOneTaskSeparately() {
		runs("java-1", -2, false);
		kill("java-1", 0);
		takes("java-2", 37);
		kill("java-2", 38);
		runs("java-3", 76, true);
		assertThat(Resumption.of(ledger())).extracting(Resumption::time)
			.containsExactly(Duration.ofSeconds(37), Duration.ofSeconds(38));
	}

	@Test
	void isCompleteWhenNobodyElseTookTask() {
		runs("java-1", -2, false);
		kill("java-1", 0);
		kill("java-2", 38);
		runs("java-3", 76, true);
		assertThat(Resumption.longest(ledger())).isEqualTo(Duration.ofSeconds(76));
		assertThat(late()).isTrue();
	}

	@Test
	void isCompleteWhenNextWorkerSurvived() {
		runs("java-1", -2, false);
		kill("java-1", 0);
		takes("java-2", 37);
		runs("java-3", 76, true);
		assertThat(Resumption.longest(ledger())).isEqualTo(Duration.ofSeconds(76));
	}

	@Test
	void isLateBeyondPromisedTime() {
		runs("java-1", -2, false);
		kill("java-1", 0);
		runs("java-2", 36, true);
		assertThat(late()).isFalse();
		this.runs.remove(1);
		runs("java-2", 37, true);
		assertThat(late()).isTrue();
	}

	@Test
	void machineThatStandsStillMeanwhileMakesItNoLonger() {
		runs("java-1", -2, false);
		kill("java-1", 0);
		runs("java-2", 42, true);
		standsStill(-5, 1);
		standsStill(30, 35);
		assertThat(late()).isFalse();
		this.standstills.remove(0);
		assertThat(late()).isTrue();
		standsStill(42, 60);
		assertThat(late()).as("it had been resumed before").isTrue();
	}

	@Test
	void mayTakeLongerAfterDeathOfGoWorker() {
		runs("go-1", -2, false);
		kill("go-1", 0);
		runs("java-2", 42, true);
		assertThat(late()).isFalse();
		this.runs.remove(1);
		runs("java-2", 43, true);
		assertThat(late()).isTrue();
	}

	@Test
	void isLateForOneThoughAnotherMayTakeLonger() {
		runs("go-1", -2, false);
		kill("go-1", 0);
		runs("java-2", 42, false);
		kill("java-2", 43);
		runs("java-3", 80, true);
		assertThat(late()).isTrue();
	}

	private void runs(String worker, int second, boolean toItsEnd) {
		Instant start = KILL.plusSeconds(second);
		this.runs.add(new Run(TASK, 0, worker, start, toItsEnd ? start.plusMillis(1) : null,
				toItsEnd ? RunOutcome.OK : null));
	}

	private void takes(String worker, int second) {
		this.taken.add(new Taken(TASK, worker, KILL.plusSeconds(second)));
	}

	private void kill(String worker, int second) {
		Instant start = KILL.plusSeconds(second);
		this.kills.add(new FaultWindow("sigkill", worker, Explains.ANY, start, start.plusMillis(1), "SIGKILL"));
	}

	private void standsStill(int from, int until) {
		this.standstills.add(new Standstill(KILL.plusSeconds(from), KILL.plusSeconds(until)));
	}

	private boolean late() {
		Ledger ledger = ledger();
		Rules rules = new Rules(Duration.ofSeconds(80), Duration.ZERO,
				new Resumes(Duration.ofSeconds(36), Duration.ofSeconds(42)), KILL.plusSeconds(100), this.standstills);
		return !Invariant.RESUMED_IN_TIME
			.check(new Evidence(ledger, Map.of(), Map.of(), Set.of(),
					new Inspectors(new JedisConnectionFactory(), Path.of("none"), null), rules))
			.isEmpty();
	}

	private Ledger ledger() {
		return new Ledger(Map.of(), Map.of(TASK, this.runs), Map.of(TASK, this.taken), this.kills,
				new Aggregations(Map.of(), Map.of()), new Fires(List.of(), List.of()));
	}

}
