package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.ProxiedRedis;
import io.asynq.test.redis.RedisSetup;

/**
 * No data passes between workers and Redis for a while, and no connection is closed:
 * callers see no error. It is shorter than a lease, so nothing may run twice.
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
		return ProxiedRedis.start();
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		ProxiedRedis redis = stage.redis(ProxiedRedis.class);
		while (stage.feeding()) {
			// Long enough between two to extend leases and to write outcomes
			stage.pause(stage.timing().heartbeat().multipliedBy(2));
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "nothing passes")) {
				redis.proxy().silence();
				stage.pause(stage.timing().lease().dividedBy(3));
				redis.proxy().heal();
			}
		}
	}

}
