package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.redis.ProxiedRedis;
import io.asynq.test.redis.RedisSetup;

/**
 * Each request to Redis takes longer, all the time. Nothing is lost and nothing runs
 * twice.
 */
final class Latency implements Fault {

	private final int millis;

	Latency(int millis) {
		this.millis = millis;
	}

	@Override
	public String name() {
		return "latency-" + this.millis + "ms";
	}

	@Override
	public Scenario scenario(Scale scale) {
		Duration feeding = Duration.ofSeconds((scale == Scale.QUICK) ? 4 : 15);
		// A producer that enqueues one task after the other is no faster
		return Scenario.of((int) Math.min(feeding.toMillis() / 5, feeding.toMillis() / (this.millis + 2)), feeding);
	}

	@Override
	public RedisSetup openRedis() {
		ProxiedRedis redis = ProxiedRedis.start();
		redis.proxy().delay(Duration.ofMillis(this.millis));
		return redis;
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		while (stage.feeding()) {
			stage.pause(Duration.ofMillis(100));
		}
	}

}
