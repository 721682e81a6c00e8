package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.reliability.ledger.Explains;
import io.asynq.reliability.ledger.FaultWindow;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.ledger.Run;
import io.asynq.reliability.ledger.TaskKey;
import io.asynq.reliability.load.Rhythm;
import io.asynq.reliability.load.Work;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.reliability.redis.RedisSetup;
import io.asynq.reliability.redis.StandaloneRedis;

/**
 * The clock that servers agree in is set by a minute and by an hour, ahead and back.
 * Nothing ends for that, nothing is charged twice, limits hold and periodic tasks fire.
 * After each step a worker is killed, and the next one comes when all that it had runs
 * again.
 */
final class RedisClockStep implements Fault {

	/**
	 * The last is furthest ahead: what is due by a clock that is then set back is due
	 * that much later.
	 */
	private static final List<Duration> CLOCKS = List.of(Duration.ofHours(-1), Duration.ZERO, Duration.ofSeconds(-60),
			Duration.ZERO, Duration.ofSeconds(60), Duration.ofSeconds(60).plusHours(1));

	private static final Duration LOOK = Duration.ofMillis(250);

	private static final int WORK = 20;

	private static final int LIMITED = 8;

	private final List<Worker> schedulers = new ArrayList<>();

	private int stepsUnderWay;

	@Override
	public String name() {
		return "clock-step-redis";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(1_500, Duration.ofSeconds(40))
				: Scenario.of(10_000, Duration.ofSeconds(200));
	}

	@Override
	public RedisSetup openRedis() {
		return StandaloneRedis.startWithClock();
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		startSchedulers(stage);
		for (Duration clock : CLOCKS) {
			occupy(stage);
			step(stage, clock);
			// Whoever took a lease for lost by the new clock alone would have done so by
			// now
			stage.pause(stage.timing().heartbeat().multipliedBy(3));
			kill(stage);
		}
		endSchedulers(stage);
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		List<String> findings = new ArrayList<>();
		if (this.stepsUnderWay < CLOCKS.size()) {
			findings.add("Only " + this.stepsUnderWay + " steps came while limited and other work was under way");
		}
		ledger.runs().forEach((task, runs) -> chargedTwice(task, runs, ledger, findings));
		tooMany(ledger, findings);
		return findings;
	}

	private void startSchedulers(Stage stage) throws InterruptedException {
		Map<String, String> properties = new LinkedHashMap<>();
		Rhythm.ALL.forEach((rhythm) -> properties.put(Rhythm.PROPERTY + rhythm.entry(), rhythm.spec()));
		properties.put("asynq.server.enabled", "false");
		for (int i = 0; i < 2; i++) {
			this.schedulers.add(stage.fleet().start(WorkerKind.JAVA, properties));
		}
		stage.fleet().awaitReady();
	}

	/**
	 * One by one: the last one deletes what they have in common.
	 */
	private void endSchedulers(Stage stage) throws InterruptedException {
		for (Worker scheduler : this.schedulers) {
			try (Stage.Window window = stage.window(scheduler.name(), Explains.NOTHING, "SIGTERM to " + scheduler)) {
				stage.fleet().terminate(scheduler);
			}
		}
	}

	private void occupy(Stage stage) throws InterruptedException {
		int step = this.stepsUnderWay;
		stage.longWork("step" + step, WORK);
		stage.limitedWork("limited" + step, LIMITED);
		long latest = System.nanoTime() + stage.timing().recovery().toNanos();
		while (System.nanoTime() < latest) {
			Set<String> names = Set.of("step" + step, "limited" + step);
			long atWork = stage.fleet()
				.workers()
				.stream()
				.flatMap((worker) -> stage.ledger().runningOn(worker.name(), stage.clock().instant()).stream())
				.map((run) -> run.task().id().replaceFirst("-.*", ""))
				.filter(names::contains)
				.distinct()
				.count();
			if (atWork == names.size()) {
				this.stepsUnderWay++;
				return;
			}
			stage.pause(LOOK);
		}
	}

	private static void step(Stage stage, Duration clock) {
		try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "clock of Redis set to " + clock)) {
			stage.redis(StandaloneRedis.class).node().setClock(clock);
		}
	}

	private void kill(Stage stage) throws InterruptedException {
		List<Worker> workers = stage.fleet()
			.workers()
			.stream()
			.filter((worker) -> !this.schedulers.contains(worker))
			.toList();
		Worker victim = workers.get(stage.random().nextInt(workers.size()));
		Instant killed = stage.clock().instant();
		try (Stage.Window window = stage.window(victim.name(), Explains.ANY, "SIGKILL of " + victim)) {
			stage.fleet().kill(victim);
		}
		stage.fleet().start(WorkerKind.JAVA).awaitReady();
		Instant latest = killed.plus(stage.timing().recovery());
		while (stage.clock().instant().isBefore(latest) && !runsAgain(stage.ledger(), victim, killed)) {
			stage.pause(LOOK);
		}
	}

	private static boolean runsAgain(Ledger ledger, Worker victim, Instant killed) {
		return ledger.heldBy(victim.name(), killed)
			.stream()
			.allMatch((task) -> ledger.runsOf(task).stream().anyMatch((run) -> run.start().isAfter(killed)));
	}

	/**
	 * Each time that a task is taken from its queue may cost one retry.
	 */
	private static void chargedTwice(TaskKey task, List<Run> runs, Ledger ledger, List<String> findings) {
		for (int i = 1; i < runs.size(); i++) {
			Run before = runs.get(i - 1);
			Run again = runs.get(i);
			long taken = ledger.taken()
				.getOrDefault(task, List.of())
				.stream()
				.filter((taking) -> taking.time().isAfter(before.start()) && !taking.time().isAfter(again.start()))
				.count();
			if (again.attempt() - before.attempt() > Math.max(taken, 1)) {
				findings.add(task + " was charged more than once for a run: " + runs);
			}
		}
	}

	private static void tooMany(Ledger ledger, List<String> findings) {
		List<Run> limited = ledger.runs()
			.values()
			.stream()
			.flatMap(List::stream)
			.filter((run) -> run.task().id().startsWith("limited"))
			.toList();
		for (Run run : limited) {
			List<Run> atOnce = limited.stream()
				.filter((other) -> !other.start().isAfter(run.start()) && end(other, ledger).isAfter(run.start()))
				.toList();
			if (atOnce.size() > Work.LIMIT) {
				findings.add("More than " + Work.LIMIT + " at once: " + atOnce);
			}
		}
	}

	private static Instant end(Run run, Ledger ledger) {
		return (run.end() != null) ? run.end()
				: ledger.windows()
					.stream()
					.filter((window) -> window.worker().equals(run.worker()) && !window.start().isBefore(run.start()))
					.map(FaultWindow::start)
					.min(Instant::compareTo)
					.orElse(Instant.MAX);
	}

}
