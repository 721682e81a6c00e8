package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.load.Deadly;
import io.asynq.reliability.process.Worker;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.TaskKey;

/** Unless the library intervenes, a supervisor restarts the processes forever. */
public final class OrderlyExit extends Fault {

	/** One crash that makes a task a suspect, and as many as are counted. */
	private static final int MOST_DEATHS = 4;

	private static final Duration LOOK = Duration.ofMillis(100);

	/**
	 * How long no process must have died before it is over: no policy is called while a
	 * JVM exits, so asynq's delay applies, at most 121 s the third time.
	 */
	private static final Duration QUIET = Duration.ofSeconds(125);

	private static final Duration PATIENCE = Duration.ofMinutes(12);

	private final List<TaskKey> deadly = new ArrayList<>();

	private final Map<Worker, Stage.Window> windows = new HashMap<>();

	OrderlyExit() {
		super("orderly-exit", Scenario.of(1_500, 30), Scenario.of(10_000, 120));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		stage.fleet().workers().forEach((worker) -> open(stage, worker));
		for (Deadly.Way way : Deadly.Way.values()) {
			this.deadly.add(stage.producer().deadly("deadly-" + way, new Deadly(way, 50)));
		}
		Instant begin = stage.clock().instant();
		Instant quietSince = begin;
		// Closed at the end, because it explains tasks that run again after such a delay
		List<Stage.Window> ended = new ArrayList<>();
		// The tasks of a crashed worker are recovered first
		Duration quiet = QUIET.plus(stage.timing().lease());
		while (quietSince.plus(quiet).isAfter(stage.clock().instant())
				&& begin.plus(PATIENCE).isAfter(stage.clock().instant())) {
			for (Worker worker : stage.fleet().workers()) {
				if (!worker.isAlive()) {
					ended.add(this.windows.remove(worker));
					stage.fleet().kill(worker);
					open(stage, stage.fleet().start(worker.kind()));
				}
				if (!worker.isReady()) {
					quietSince = stage.clock().instant();
				}
			}
			stage.pause(LOOK);
		}
		ended.forEach(Stage.Window::close);
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		return this.deadly.stream()
			.filter((task) -> ledger.runsOf(task).size() < 2 || ledger.runsOf(task).size() > MOST_DEATHS)
			.map((task) -> task + " has run " + ledger.runsOf(task).size() + " times instead of 2 to " + MOST_DEATHS)
			.toList();
	}

	private void open(Stage stage, Worker worker) {
		this.windows.put(worker, stage.window(worker.name(), Explains.ANY, "the end of " + worker));
	}

}
