package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.ledger.Aggregations;
import io.asynq.reliability.ledger.Explains;
import io.asynq.reliability.ledger.FaultWindow;
import io.asynq.reliability.ledger.Fires;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.ledger.Run;
import io.asynq.reliability.ledger.RunOutcome;
import io.asynq.reliability.ledger.TaskKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResumptionTests {

	private static final TaskKey TASK = new TaskKey("low", "t1");

	private static final Instant KILL = Instant.ofEpochSecond(1_000_000);

	@Test
	void lastsUntilWhatWasCutShortRunsAgain() {
		assertThat(Resumption.longest(killed(again(1, 40)))).isEqualTo(Duration.ofSeconds(40));
	}

	@Test
	void countsFromTheFirstOfTwoKillsThatHitOneTask() {
		assertThat(Resumption.longest(killed(again(2, 76)))).isEqualTo(Duration.ofSeconds(76));
	}

	@Test
	void isWholeWhereAnAttemptWasHandedBackUncounted() {
		assertThat(Resumption.longest(killed(again(0, 3)))).isEqualTo(Duration.ofSeconds(3));
	}

	private static Ledger killed(Run again) {
		Run cutShort = new Run(TASK, 0, "java-1", KILL.minusSeconds(2), null, null);
		return new Ledger(Map.of(), Map.of(TASK, List.of(cutShort, again)),
				List.of(new FaultWindow("sigkill", "java-1", Explains.ANY, KILL, KILL.plusMillis(1), "SIGKILL")),
				new Aggregations(Map.of(), Map.of()), new Fires(List.of(), List.of()));
	}

	private static Run again(int attempt, int seconds) {
		Instant start = KILL.plusSeconds(seconds);
		return new Run(TASK, attempt, "java-2", start, start.plusSeconds(1), RunOutcome.OK);
	}

}
