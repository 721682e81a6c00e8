package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.List;

import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.StandaloneRedis;

/** Heartbeats and outcomes must not wait for the application's own calls. */
public final class BusyPool extends Fault {

	private static final int POOL = 8;

	private static final int THREADS = 12;

	private static final Duration LOOK = Duration.ofMillis(100);

	private boolean busy;

	BusyPool() {
		super("busy-pool", Scenario.of(1_500, 15), Scenario.of(6_000, 60));
		with((scenario) -> scenario.longTasks(60)
			.property("spring.data.redis.jedis.pool.max-active", String.valueOf(POOL))
			.property("spring.data.redis.lettuce.pool.enabled", "true")
			// One of them is for all calls that do not block
			.property("spring.data.redis.lettuce.pool.max-active", String.valueOf(POOL + 1))
			.property("reliability.busy-connections", String.valueOf(THREADS)));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		RedisNode redis = stage.redis(StandaloneRedis.class).node();
		int blocked = POOL * stage.fleet().workers().size();
		try (Stage.Window window = stage.window(Explains.NOTHING, blocked + " connections wait")) {
			while (stage.feeding()) {
				this.busy |= Integer.parseInt(redis.info("clients").get("blocked_clients")) >= blocked;
				stage.pause(LOOK);
			}
		}
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		return this.busy ? List.of() : List.of("The connections of the workers' pools were not all busy");
	}

}
