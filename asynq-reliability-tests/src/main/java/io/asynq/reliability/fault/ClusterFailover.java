package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.reliability.load.Load;
import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.RedisSetup;

/**
 * The master of a queue is killed and the cluster promotes its replica, which may lack
 * the last writes: Redis answers before its replicas have them.
 */
final class ClusterFailover implements Fault {

	@Override
	public String name() {
		return "cluster-failover";
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
		return ClusterRedis.start();
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		ClusterRedis redis = stage.redis(ClusterRedis.class);
		List<String> queues = new ArrayList<>(Load.QUEUES.keySet());
		while (stage.feeding()) {
			String queue = queues.get(stage.random().nextInt(queues.size()));
			stage.pause(Duration.ofSeconds(2));
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.ANY, "master of " + queue + " killed")) {
				RedisNode killed = redis.killMaster(ClusterRedis.slotOfQueue(queue));
				// Empty, and a master, until it is told otherwise
				killed.restart();
				redis.awaitComplete();
			}
		}
	}

	@Override
	public Duration redisMayLose() {
		return Duration.ofSeconds(1);
	}

}
