package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.reliability.load.Load;
import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.RedisSetup;

/**
 * The slot of each queue is moved to another master while the queue is busy. During the
 * move Redis refuses commands that need keys of both sides, but loses nothing.
 */
final class ClusterSlotMove implements Fault {

	@Override
	public String name() {
		return "cluster-slot-move";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(800, Duration.ofSeconds(4))
				: Scenario.of(4000, Duration.ofSeconds(15));
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
	public boolean showsWholeQueues() {
		return false;
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		ClusterRedis redis = stage.redis(ClusterRedis.class);
		while (stage.feeding()) {
			for (String queue : Load.QUEUES.keySet()) {
				stage.pause(Duration.ofMillis(500));
				try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING,
						"slot of " + queue + " moved")) {
					redis.moveSlot(ClusterRedis.slotOfQueue(queue), stage.random());
				}
			}
		}
	}

}
