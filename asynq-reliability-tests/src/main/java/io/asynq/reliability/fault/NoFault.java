package io.asynq.reliability.fault;

import java.time.Duration;

/** No harm: then nothing may run twice. */
public final class NoFault implements Fault {

	@Override
	public String name() {
		return "none";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(3_000, Duration.ofSeconds(8))
				: Scenario.of(20_000, Duration.ofSeconds(40));
	}

	@Override
	public void inject(Stage stage) {
		// This is the fault
	}

}
