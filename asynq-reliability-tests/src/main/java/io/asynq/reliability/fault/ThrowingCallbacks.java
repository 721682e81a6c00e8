package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.ledger.Explains;

/**
 * All callbacks of the application throw unexpected errors, and now and then an error
 * handler hangs: failed attempts are retried or archived all the same, exactly as often
 * as without, and nothing runs twice.
 */
public final class ThrowingCallbacks implements Fault {

	private static final Duration LOOK = Duration.ofMillis(200);

	@Override
	public String name() {
		return "throwing-callbacks";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return ((scale == Scale.QUICK) ? Scenario.of(2_000, Duration.ofSeconds(6))
				: Scenario.of(10_000, Duration.ofSeconds(40)))
			.property("reliability.hostile", "true")
			.property("asynq.server.stuck-handler-timeout", "1s");
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "All callbacks throw")) {
			while (stage.feeding()) {
				stage.pause(LOOK);
			}
		}
	}

}
