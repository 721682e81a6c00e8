package io.asynq.reliability.fault;

import java.nio.file.Path;
import java.time.Duration;

import io.asynq.reliability.ledger.Explains;
import io.asynq.reliability.redis.ProxiedRedis;
import io.asynq.reliability.redis.RedisSetup;

/**
 * Nothing passes between workers and Redis for a while, and nothing is closed either:
 * whoever waits sees no error. Shorter than a lease, so nothing may run twice.
 */
final class SilentNetwork implements Fault {

	@Override
	public String name() {
		return "silent-network";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(400, Duration.ofSeconds(4))
				: Scenario.of(3000, Duration.ofSeconds(40));
	}

	@Override
	public Timing timing(Scale scale) {
		return Timing.ofOutages(scale);
	}

	@Override
	public RedisSetup openRedis() {
		return ProxiedRedis.start(Path.of(System.getProperty("asynq.reliability", "")));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		ProxiedRedis redis = stage.redis(ProxiedRedis.class);
		while (stage.feeding()) {
			// Long enough between two to extend leases and to get rid of outcomes
			stage.pause(stage.timing().heartbeat().multipliedBy(2));
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "nothing passes")) {
				redis.silence();
				stage.pause(stage.timing().lease().dividedBy(3));
				redis.heal();
			}
		}
	}

}
