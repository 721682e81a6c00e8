package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.asynq.reliability.load.Rhythm;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.TaskKey;
import io.asynq.test.redis.ClockedRedis;
import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.StandaloneRedis;

/** The clock on which servers agree: Redis's, or that of a promoted replica. */
final class RedisClockStep extends Fault {

	/**
	 * The last step is the furthest forward: tasks that are due by a clock that is then
	 * set back are due that much later.
	 */
	private static final List<Duration> CLOCKS = List.of(Duration.ofHours(-1), Duration.ZERO, Duration.ofSeconds(-60),
			Duration.ZERO, Duration.ofSeconds(60), Duration.ofSeconds(60).plusHours(1));

	private static final int WORK = 20;

	private static final int LIMITED = 8;

	/**
	 * Other work comes again and again while limited tasks wait for those of the step
	 * before, or for tokens of the worker that was killed then.
	 */
	private static final int ROUNDS = 16;

	/** A round lasts a little longer than its tasks. */
	private static final Duration ROUND = Duration.ofSeconds(5);

	/** The bound in a quick run for what takes longer. */
	private static final List<Duration> MINUTES = List.of(Duration.ofSeconds(-60), Duration.ZERO);

	private final Map<Scale, List<Duration>> clocks;

	private final Function<Scale, Timing> timing;

	private final List<Worker> schedulers = new ArrayList<>();

	private int steps;

	private int stepsUnderWay;

	private final List<Kill> kills = new ArrayList<>();

	private Duration resumed = Duration.ZERO;

	private RedisClockStep(String name, Supplier<ClockedRedis> redis, Map<Scale, List<Duration>> clocks,
			Function<Scale, Timing> timing) {
		super(name, quick(clocks.get(Scale.QUICK).size()), Scenario.of(10_000, 200));
		this.clocks = clocks;
		this.timing = timing;
		timing((scale) -> timing.apply(scale).withTokens());
		on(redis);
	}

	static RedisClockStep running() {
		return new RedisClockStep("clock-step-redis", StandaloneRedis::startWithClock,
				Map.of(Scale.QUICK, CLOCKS, Scale.FULL, CLOCKS), Timing::of);
	}

	/**
	 * Replaces masters in an orderly way by replicas with another clock, which on a busy
	 * machine take seconds to follow.
	 */
	static RedisClockStep promoted() {
		return new RedisClockStep("clock-step-promoted", ClusterRedis::startWithClocks,
				Map.of(Scale.QUICK, MINUTES, Scale.FULL, CLOCKS), Timing::ofOutages);
	}

	private static Scenario quick(int steps) {
		// A few steps prove something only if recoverers look before the next heartbeat
		return Scenario.of(250 * steps, 10 + 5 * steps).property("asynq.server.recover-interval", "200ms");
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		this.resumed = stage.timing().properties().isEmpty() ? ClockStep.RESUMED
				: this.timing.apply(stage.scale()).recovery();
		startSchedulers(stage);
		for (Duration clock : this.clocks.get(stage.scale())) {
			this.steps++;
			occupy(stage);
			step(stage, clock);
			// A server that trusted the new clock alone would have taken leases for lost
			// by now
			stage.pause(stage.timing().heartbeat().multipliedBy(3));
			kill(stage);
		}
		endSchedulers(stage);
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		List<String> findings = new ArrayList<>();
		if (this.stepsUnderWay < this.steps) {
			findings.add("Only " + this.stepsUnderWay + " steps came while limited and other work was under way");
		}
		if (this.kills.size() < this.steps) {
			findings.add("Only " + this.kills.size() + " kills hit a worker at work");
		}
		this.kills.forEach((kill) -> kill.late(ledger, this.resumed)
			.forEach((task) -> findings.add(task + " did not run again within " + this.resumed + " of " + kill)));
		ledger.runs().forEach((task, runs) -> chargedTwice(task, runs, ledger, findings));
		findings.addAll(LimitKept.findings(ledger));
		return findings;
	}

	private void startSchedulers(Stage stage) throws InterruptedException {
		Map<String, String> properties = Rhythm.properties();
		for (int i = 0; i < 2; i++) {
			this.schedulers.add(stage.fleet().start(WorkerKind.JAVA, properties));
		}
		stage.fleet().awaitReady();
	}

	/** One by one, because the last one deletes what they share. */
	private void endSchedulers(Stage stage) throws InterruptedException {
		for (Worker scheduler : this.schedulers) {
			stage.terminate(scheduler, Explains.NOTHING);
		}
	}

	private void occupy(Stage stage) throws InterruptedException {
		String limited = "limited" + this.steps;
		stage.producer().limitedWork(limited, LIMITED);
		boolean underWay = false;
		for (int round = 1; round <= ROUNDS && !underWay; round++) {
			String work = "step" + this.steps + "." + round;
			stage.producer().longWork(work, WORK);
			underWay = stage.await(ROUND, () -> !stage.atWork(work).isEmpty() && !stage.atWork(limited).isEmpty());
		}
		if (underWay) {
			this.stepsUnderWay++;
		}
	}

	private static void step(Stage stage, Duration clock) {
		try (Stage.Window window = stage.window(Explains.NOTHING, "clock of Redis set to " + clock)) {
			stage.redis(ClockedRedis.class).setClock(clock);
		}
	}

	private void kill(Stage stage) throws InterruptedException {
		String work = "kill" + this.steps;
		stage.producer().longWork(work, WORK);
		List<Worker> atWork = new ArrayList<>();
		if (!stage.await(stage.timing().recovery(), () -> atWork.addAll(stage.atWork(work)))) {
			return;
		}
		Worker victim = atWork.get(stage.random().nextInt(atWork.size()));
		Kill kill = new Kill(victim.name(), work, stage.clock().instant());
		stage.kill(victim);
		this.kills.add(kill);
		stage.fleet().start(WorkerKind.JAVA).awaitReady();
		Duration recovery = this.timing.apply(stage.scale()).recovery();
		stage.await(recovery, () -> kill.late(stage.ledger(), recovery).isEmpty());
	}

	/** Each dequeue of a task may cost one retry. */
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

	/**
	 * A kill of a worker. Only the tasks it was aimed at count: a task that waits for a
	 * due time waits longer when the clock was set back.
	 */
	private record Kill(String worker, String work, Instant moment) {

		List<TaskKey> late(Ledger ledger, Duration time) {
			Instant latest = this.moment.plus(time);
			return ledger.heldBy(this.worker, this.moment)
				.stream()
				.filter((task) -> task.id().startsWith(this.work + "-"))
				.filter((task) -> ledger.runsOf(task)
					.stream()
					.noneMatch((run) -> run.start().isAfter(this.moment) && !run.start().isAfter(latest)))
				.toList();
		}

	}

}
