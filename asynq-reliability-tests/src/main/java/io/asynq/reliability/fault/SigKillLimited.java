package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.asynq.reliability.check.Resumes;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;
import org.jspecify.annotations.Nullable;

/**
 * Workers are killed that hold tokens of a limit while other tasks wait for them. The
 * limit holds, and all tasks run: what a killed worker held comes back.
 */
final class SigKillLimited implements Fault {

	/** So many wait behind those that run when a worker is killed. */
	private static final int LIMITED = 12;

	private static final Duration LOOK = Duration.ofMillis(50);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	/**
	 * A killed worker's token comes back 65 s after its last heartbeat at the latest, and
	 * its task is one of those that wait then.
	 */
	private static final Duration RESUMED = Timing.TOKEN.plusSeconds(45);

	private int kills;

	private int wanted;

	@Override
	public String name() {
		return "sigkill-limited";
	}

	@Override
	public Scenario scenario(Scale scale) {
		Scenario scenario = (scale == Scale.QUICK) ? Scenario.of(500, Duration.ofSeconds(10))
				: Scenario.of(10_000, Duration.ofSeconds(120));
		return scenario.workers(WorkerKind.JAVA, WorkerKind.JAVA, WorkerKind.JAVA);
	}

	@Override
	public Timing timing(Scale scale) {
		return Timing.of(scale).withTokens();
	}

	@Override
	public Resumes resumesWithin(Scale scale) {
		return Resumes.within(RESUMED);
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		this.wanted = (stage.scale() == Scale.QUICK) ? 2 : 6;
		for (int i = 1; i <= this.wanted; i++) {
			String name = "limited" + i;
			stage.limitedWork(name, LIMITED);
			Worker victim = awaitHolder(stage, name);
			if (victim != null) {
				this.kills++;
				try (Stage.Window window = stage.window(victim.name(), Explains.ANY, "SIGKILL of " + victim)) {
					stage.fleet().kill(victim);
				}
				stage.fleet().start(WorkerKind.JAVA).awaitReady();
			}
		}
		stage.fleet().awaitReady();
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		List<String> findings = new ArrayList<>(LimitKept.findings(ledger));
		if (this.kills < this.wanted) {
			findings.add("Only " + this.kills + " kills hit a worker that held a token");
		}
		return findings;
	}

	private static @Nullable Worker awaitHolder(Stage stage, String name) throws InterruptedException {
		Instant end = stage.clock().instant().plus(PATIENCE);
		while (stage.clock().instant().isBefore(end)) {
			Ledger ledger = stage.ledger();
			Instant now = stage.clock().instant();
			for (Worker worker : stage.fleet().workers()) {
				if (worker.isReady() && ledger.runningOn(worker.name(), now)
					.stream()
					.anyMatch((run) -> isFirst(run) && run.task().id().startsWith(name + "-"))) {
					return worker;
				}
			}
			stage.pause(LOOK);
		}
		return null;
	}

	private static boolean isFirst(Run run) {
		return run.end() == null && run.attempt() == 0;
	}

}
