package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.reliability.process.Worker;
import io.asynq.test.ledger.Explains;

/**
 * Workers are replaced one by one as in a deployment, with tasks in progress that partly
 * take longer than the shutdown time-out.
 */
public final class RollingRestart implements Fault {

	@Override
	public String name() {
		return "rolling-restart";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return ((scale == Scale.QUICK) ? Scenario.of(2_500, Duration.ofSeconds(12))
				: Scenario.of(20_000, Duration.ofSeconds(60)))
			.longTasks(40)
			.property("asynq.server.shutdown-timeout", "2s");
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		int rounds = (stage.scale() == Scale.QUICK) ? 1 : 4;
		for (int i = 0; i < rounds; i++) {
			for (Worker old : stage.fleet().workers()) {
				stage.fleet().start(old.kind()).awaitReady();
				stage.pause(Duration.ofMillis(stage.random().nextInt(1000)));
				try (Stage.Window window = stage.window(old.name(), Explains.REQUEUED, "SIGTERM to " + old)) {
					stage.fleet().terminate(old);
				}
			}
		}
	}

}
