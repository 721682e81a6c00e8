package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.StandaloneRedis;

/** The script cache of Redis is flushed repeatedly. */
public final class ScriptFlush implements Fault {

	private static final int PAUSE_MILLIS = 200;

	@Override
	public String name() {
		return "script-flush";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(2_500, Duration.ofSeconds(6))
				: Scenario.of(15_000, Duration.ofSeconds(30));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		while (stage.feeding()) {
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "SCRIPT FLUSH")) {
				stage.redis(StandaloneRedis.class).node().call((jedis) -> jedis.scriptFlush());
			}
			stage.pause(Duration.ofMillis(stage.random().nextInt(PAUSE_MILLIS)));
		}
	}

}
