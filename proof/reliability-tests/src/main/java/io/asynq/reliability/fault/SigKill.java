package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.reliability.check.Resumes;
import io.asynq.reliability.load.Load;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;

/** Workers are killed one after the other, and each is replaced at once. */
public final class SigKill extends Fault {

	private static final int SHORTEST_PAUSE_MILLIS = 300;

	private static final Duration LOOK = Duration.ofMillis(50);

	/** A task that runs for that long is neither a short one nor an aggregated one. */
	private static final Duration AT_WORK = Duration.ofMillis(300);

	/** How long the load alone may occupy a worker before long tasks are added. */
	private static final Duration HELP = Duration.ofSeconds(3);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	/** The task may end between the look and the kill. */
	private static final int TRIES = 6;

	/** From the kill with default settings, the retry delay in whole seconds included. */
	private static final Resumes RESUMED = new Resumes(Duration.ofSeconds(36), Duration.ofSeconds(42));

	private final List<WorkerKind> workers;

	private int crowds;

	private SigKill(String name, Scenario full, WorkerKind... workers) {
		super(name, Scenario.of(4_000, 12).workers(workers), full.workers(workers));
		this.workers = List.of(workers);
		// Go's leases cannot be shortened, and servers of the same queues should agree.
		timing((scale) -> Timing.of(isMixed() ? Scale.FULL : scale));
		resumes((scale) -> (timing(scale).properties().isEmpty()) ? RESUMED : Resumes.within(timing(scale).recovery()));
	}

	public static SigKill ofJava() {
		return new SigKill("sigkill", Scenario.of(100_000, 220), WorkerKind.JAVA, WorkerKind.JAVA, WorkerKind.JAVA);
	}

	public static SigKill ofBoth() {
		return new SigKill("sigkill-mixed", Scenario.of(20_000, 60), WorkerKind.JAVA, WorkerKind.GO, WorkerKind.JAVA,
				WorkerKind.GO);
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		int kills = (stage.scale() == Scale.QUICK) ? 4 : isMixed() ? 15 : 50;
		for (int i = 0; i < kills; i++) {
			kill(stage, this.workers.get(i % this.workers.size()));
		}
		for (int i = 0; i < TRIES && !missed(stage).isEmpty(); i++) {
			kill(stage, missed(stage).get(0));
		}
		stage.fleet().awaitReady();
	}

	private void kill(Stage stage, WorkerKind kind) throws InterruptedException {
		stage.pause(Duration.ofMillis(SHORTEST_PAUSE_MILLIS + stage.random().nextInt(2000)));
		Worker victim = awaitVictim(stage, kind);
		stage.kill(victim);
		Worker replacement = stage.fleet().start(victim.kind());
		if (stage.scale() == Scale.FULL) {
			replacement.awaitReady();
		}
	}

	/**
	 * Another Java worker must be ready, because the promised recovery time needs one: Go
	 * recovers later, and a server that still starts has to watch the leases first.
	 */
	private Worker awaitVictim(Stage stage, WorkerKind kind) throws InterruptedException {
		Instant begin = stage.clock().instant();
		Instant nextHelp = begin.plus(HELP);
		while (stage.clock().instant().isBefore(begin.plus(PATIENCE))) {
			List<Worker> ready = stage.fleet().workers().stream().filter(Worker::isReady).toList();
			boolean recoverable = javaIsLeftWithout(kind, ready);
			List<Worker> busy = stage.atWork(stage.clock().instant().minus(AT_WORK), SigKill::isFirst)
				.stream()
				.filter((worker) -> worker.kind() == kind)
				.toList();
			if (!busy.isEmpty() && recoverable) {
				return busy.get(stage.random().nextInt(busy.size()));
			}
			if (busy.isEmpty() && recoverable && stage.clock().instant().isAfter(nextHelp)) {
				occupy(stage, kind);
				nextHelp = stage.clock().instant().plus(HELP);
			}
			stage.pause(LOOK);
		}
		throw new IllegalStateException("No " + kind + " worker was at work within " + PATIENCE.toSeconds() + " s");
	}

	private static boolean javaIsLeftWithout(WorkerKind killed, List<Worker> ready) {
		long java = ready.stream().filter((worker) -> worker.kind() == WorkerKind.JAVA).count();
		return java > ((killed == WorkerKind.JAVA) ? 1 : 0);
	}

	/**
	 * Go polls and Java is woken, so Go servers have tasks only while there are more than
	 * Java servers can take.
	 */
	private void occupy(Stage stage, WorkerKind kind) {
		this.crowds++;
		stage.producer()
			.longWork("long" + this.crowds,
					(kind == WorkerKind.GO) ? this.workers.size() * Load.CONCURRENCY : Load.CONCURRENCY);
	}

	/**
	 * Kills aimed at the servers of one task make it poison: when no other task is
	 * running any more, each kill would hit the one that the previous kill interrupted.
	 */
	static boolean isFirst(Run run) {
		return run.end() == null && run.attempt() == 0;
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		return missed(ledger, Set.of()).stream()
			.map((kind) -> "no run of a " + kind + " worker was cut short")
			.toList();
	}

	private List<WorkerKind> missed(Stage stage) {
		Set<String> alive = stage.fleet().workers().stream().map(Worker::name).collect(Collectors.toSet());
		return missed(stage.ledger(), alive);
	}

	/** Returns the kinds of workers of which no dead one has left a run unfinished. */
	private List<WorkerKind> missed(Ledger ledger, Set<String> alive) {
		Set<WorkerKind> cutShort = ledger.runs()
			.values()
			.stream()
			.flatMap(List::stream)
			.filter((run) -> run.end() == null && !alive.contains(run.worker()))
			.flatMap((run) -> this.workers.stream().filter((kind) -> kind.isOf(run.worker())))
			.collect(Collectors.toSet());
		return this.workers.stream().distinct().filter((kind) -> !cutShort.contains(kind)).toList();
	}

	private boolean isMixed() {
		return this.workers.contains(WorkerKind.GO);
	}

}
