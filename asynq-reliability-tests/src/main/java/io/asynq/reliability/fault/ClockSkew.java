package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.Map;

import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;

/** Workers whose clocks are 60 seconds apart share their queues. */
public final class ClockSkew implements Fault {

	private static final Duration APART = Duration.ofSeconds(60);

	private static final Duration LOOK = Duration.ofMillis(200);

	@Override
	public String name() {
		return "clock-skew";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return ((scale == Scale.QUICK) ? Scenario.of(2_000, Duration.ofSeconds(12))
				: Scenario.of(15_000, Duration.ofSeconds(75)))
			.workers(WorkerKind.JAVA)
			.longTasks(40);
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "clocks 60 s apart")) {
			Duration ahead = stage.timing().lease();
			start(stage, ahead);
			start(stage, ahead.minus(APART));
			while (stage.feeding()) {
				stage.pause(LOOK);
			}
		}
	}

	private static void start(Stage stage, Duration offset) throws InterruptedException {
		stage.fleet().start(WorkerKind.JAVA, Map.of("reliability.clock-offset", offset.toMillis() + "ms")).awaitReady();
	}

}
