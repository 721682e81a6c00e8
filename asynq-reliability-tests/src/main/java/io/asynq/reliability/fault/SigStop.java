package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.reliability.process.Worker;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;

/**
 * A worker is stopped until its leases are lost and another one runs its tasks, and then
 * continues as if nothing had happened: its outcomes must be refused.
 */
public final class SigStop implements Fault {

	private static final Duration LOOK = Duration.ofMillis(250);

	@Override
	public String name() {
		return "sigstop";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return ((scale == Scale.QUICK) ? Scenario.of(2_000, Duration.ofSeconds(20))
				: Scenario.of(15_000, Duration.ofSeconds(150)))
			.longTasks(60);
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		int rounds = (stage.scale() == Scale.QUICK) ? 1 : 3;
		for (int i = 0; i < rounds; i++) {
			stage.pause(Duration.ofSeconds(3));
			List<Worker> workers = stage.fleet().workers();
			Worker victim = workers.get(stage.random().nextInt(workers.size()));
			try (Stage.Window window = stage.window(victim.name(), Explains.ANY, "SIGSTOP of " + victim)) {
				victim.suspend();
				awaitTakeOver(stage, victim);
				victim.resume();
			}
		}
	}

	private static void awaitTakeOver(Stage stage, Worker victim) throws InterruptedException {
		Instant stopped = stage.clock().instant();
		Instant latest = stopped.plus(stage.timing().recovery());
		stage.pause(stage.timing().lease());
		while (stage.clock().instant().isBefore(latest)) {
			Ledger ledger = stage.ledger();
			if (ledger.runningOn(victim.name(), stopped).stream().anyMatch((run) -> isTakenOver(run, ledger))) {
				return;
			}
			stage.pause(LOOK);
		}
	}

	private static boolean isTakenOver(Run run, Ledger ledger) {
		return ledger.runsOf(run.task())
			.stream()
			.anyMatch((other) -> other.start().isAfter(run.start()) && other.end() == null);
	}

}
