package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.RedisSetup;
import io.asynq.test.redis.SentinelRedis;

/**
 * The master is killed and Sentinels promote a replica, which may lack the last writes:
 * Redis answers before its replicas have them.
 */
final class SentinelFailover implements Fault {

	private static final int REPLICAS = 2;

	@Override
	public String name() {
		return "sentinel-failover";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(600, Duration.ofSeconds(5))
				: Scenario.of(3000, Duration.ofSeconds(20));
	}

	@Override
	public Timing timing(Scale scale) {
		return Timing.ofOutages(scale);
	}

	@Override
	public RedisSetup openRedis() {
		return SentinelRedis.start();
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		SentinelRedis redis = stage.redis(SentinelRedis.class);
		while (stage.feeding()) {
			stage.pause(Duration.ofSeconds(2));
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.ANY, "master killed")) {
				RedisNode killed = redis.failOver();
				// Empty, and a master, until it is told otherwise
				killed.restart();
				redis.awaitReplicas(REPLICAS);
			}
		}
	}

	@Override
	public Duration redisMayLose() {
		return Duration.ofSeconds(1);
	}

}
