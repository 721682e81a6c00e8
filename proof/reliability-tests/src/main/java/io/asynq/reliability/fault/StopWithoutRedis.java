package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.StandaloneRedis;

/** Each must be gone within its shutdown time-out plus five seconds. */
public final class StopWithoutRedis extends Fault {

	private static final Duration SHUTDOWN = Duration.ofSeconds(2);

	/** The promised bound, and the time a JVM needs to exit. */
	private static final Duration BOUND = SHUTDOWN.plusSeconds(5).plusSeconds(2);

	private final List<String> late = new ArrayList<>();

	private int stopped;

	StopWithoutRedis() {
		super("stop-without-redis", Scenario.of(800, 5), Scenario.of(4_000, 30));
		with((scenario) -> scenario.longTasks(40)
			.property("asynq.server.shutdown-timeout", SHUTDOWN.toSeconds() + "s"));
		// A killed Redis must have all data when it is back
		on(() -> StandaloneRedis.start("appendonly yes", "appendfsync always"));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		RedisNode redis = stage.redis(StandaloneRedis.class).node();
		int rounds = (stage.scale() == Scale.QUICK) ? 1 : 3;
		for (int i = 0; i < rounds; i++) {
			stopAll(stage, "paused-" + i, redis::pause, redis::resume);
			stopAll(stage, "killed-" + i, redis::kill, redis::restart);
		}
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		List<String> findings = new ArrayList<>(this.late);
		if (this.stopped == 0) {
			findings.add("No worker was stopped");
		}
		return findings;
	}

	private void stopAll(Stage stage, String what, Runnable harm, Runnable end) throws InterruptedException {
		stage.producer().longWork(what, 60);
		stage.pause(Duration.ofSeconds(2));
		try (Stage.Window window = stage.window(Explains.ANY, "SIGTERM while Redis is " + what)) {
			harm.run();
			try {
				stopAll(stage, what);
			}
			finally {
				end.run();
			}
			startAgain(stage);
		}
	}

	private void stopAll(Stage stage, String what) throws InterruptedException {
		long start = System.nanoTime();
		List<Worker> workers = stage.fleet().workers();
		stage.fleet().terminateAll();
		Duration taken = Duration.ofNanos(System.nanoTime() - start);
		this.stopped += workers.size();
		if (taken.compareTo(BOUND) > 0) {
			this.late.add(what + ": " + workers.size() + " workers took " + taken + " to end, but may take " + BOUND);
		}
		System.out.println(
				name() + ", " + what + ": " + workers.size() + " workers ended within " + taken.toMillis() + " ms");
	}

	private static void startAgain(Stage stage) throws InterruptedException {
		for (int i = 0; i < 2; i++) {
			stage.fleet().start(WorkerKind.JAVA);
		}
		stage.fleet().awaitReady();
	}

}
