package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.reliability.check.Resumes;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Ledger;

/** The limit holds, and what a killed worker held comes back. */
final class SigKillLimited extends Fault {

	/** So many wait behind those that run when a worker is killed. */
	private static final int LIMITED = 12;

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	/**
	 * A killed worker's token comes back 65 s after its last heartbeat at the latest, and
	 * its task is one of those that wait then.
	 */
	static final Duration RESUMED = Timing.TOKEN.plusSeconds(45);

	private int kills;

	private int wanted;

	SigKillLimited() {
		super("sigkill-limited", Scenario.of(500, 10), Scenario.of(10_000, 120));
		with((scenario) -> scenario.workers(WorkerKind.JAVA, WorkerKind.JAVA, WorkerKind.JAVA));
		timing((scale) -> Timing.of(scale).withTokens());
		resumes((scale) -> Resumes.within(RESUMED));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		this.wanted = (stage.scale() == Scale.QUICK) ? 2 : 6;
		for (int i = 1; i <= this.wanted; i++) {
			String name = "limited" + i;
			stage.producer().limitedWork(name, LIMITED);
			List<Worker> holders = new ArrayList<>();
			if (stage.await(PATIENCE, () -> holders.addAll(stage.atWork(stage.clock().instant(),
					(run) -> SigKill.isFirst(run) && run.task().id().startsWith(name + "-"))))) {
				this.kills++;
				stage.kill(holders.get(0));
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

}
