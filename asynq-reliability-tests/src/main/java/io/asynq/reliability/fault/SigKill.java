package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.reliability.ledger.Explains;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;

/**
 * Workers are killed one after the other, each replaced at once.
 */
public final class SigKill implements Fault {

	private static final int SHORTEST_PAUSE_MILLIS = 300;

	private static final Duration LOOK = Duration.ofMillis(50);

	/** What works for so long is no short task. */
	private static final Duration AT_WORK = Duration.ofMillis(100);

	/** 40 s from the kill with default settings, and the retry delay in whole seconds. */
	private static final Duration RESUMED = Duration.ofSeconds(42);

	private final String name;

	private final List<WorkerKind> workers;

	private SigKill(String name, WorkerKind... workers) {
		this.name = name;
		this.workers = List.of(workers);
	}

	public static SigKill ofJava() {
		return new SigKill("sigkill", WorkerKind.JAVA, WorkerKind.JAVA, WorkerKind.JAVA);
	}

	/**
	 * Kills Go workers and Java workers that share their queues.
	 * @return the fault
	 */
	public static SigKill ofBoth() {
		return new SigKill("sigkill-mixed", WorkerKind.JAVA, WorkerKind.GO, WorkerKind.JAVA, WorkerKind.GO);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public Scenario scenario(Scale scale) {
		Scenario scenario = (scale == Scale.QUICK) ? Scenario.of(4_000, Duration.ofSeconds(12)) : isMixed()
				? Scenario.of(20_000, Duration.ofSeconds(60)) : Scenario.of(100_000, Duration.ofSeconds(220));
		return scenario.workers(this.workers.toArray(WorkerKind[]::new));
	}

	/**
	 * Go's leases cannot be shortened, and servers on the same queues should agree.
	 */
	@Override
	public Timing timing(Scale scale) {
		return Timing.of(isMixed() ? Scale.FULL : scale);
	}

	@Override
	public Duration resumesWithin(Scale scale) {
		return (timing(scale).properties().isEmpty()) ? RESUMED : timing(scale).recovery();
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		int kills = (stage.scale() == Scale.QUICK) ? 4 : isMixed() ? 15 : 50;
		for (int i = 0; i < kills; i++) {
			stage.pause(Duration.ofMillis(SHORTEST_PAUSE_MILLIS + stage.random().nextInt(2000)));
			Worker victim = awaitVictim(stage);
			try (Stage.Window window = stage.window(victim.name(), Explains.ANY, "SIGKILL of " + victim)) {
				stage.fleet().kill(victim);
			}
			Worker replacement = stage.fleet().start(victim.kind());
			if (stage.scale() == Scale.FULL) {
				replacement.awaitReady();
			}
		}
		stage.fleet().awaitReady();
	}

	/**
	 * Waits for workers with work in progress and draws one of them: a kill of an idle
	 * one, or of one that still starts, proves nothing. Another one must be ready,
	 * because recovery takes no longer than promised only where somebody is there. All
	 * kinds have their turn, however busy they are.
	 */
	private Worker awaitVictim(Stage stage) throws InterruptedException {
		WorkerKind kind = this.workers.get(stage.random().nextInt(this.workers.size()));
		while (stage.feeding()) {
			List<Worker> busy = busyWorkers(stage, kind);
			if (!busy.isEmpty() && stage.fleet().workers().stream().filter(Worker::isReady).count() > 1) {
				return busy.get(stage.random().nextInt(busy.size()));
			}
			stage.pause(LOOK);
		}
		stage.fleet().awaitReady();
		List<Worker> workers = stage.fleet().workers();
		return workers.get(stage.random().nextInt(workers.size()));
	}

	private static List<Worker> busyWorkers(Stage stage, WorkerKind kind) {
		Ledger ledger = stage.ledger();
		Instant begun = stage.clock().instant().minus(AT_WORK);
		return stage.fleet()
			.workers()
			.stream()
			.filter((worker) -> worker.kind() == kind)
			.filter((worker) -> ledger.runningOn(worker.name(), begun).stream().anyMatch((run) -> run.end() == null))
			.toList();
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		return ledger.runs().values().stream().flatMap(List::stream).anyMatch((run) -> run.end() == null) ? List.of()
				: List.of("no run was cut short");
	}

	private boolean isMixed() {
		return this.workers.contains(WorkerKind.GO);
	}

}
