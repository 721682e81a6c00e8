package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.StandaloneRedis;

/** Redis is stopped most of the time, once for longer than callers wait for an answer. */
public final class SlowRedis implements Fault {

	private static final Duration BREATH = Duration.ofMillis(50);

	@Override
	public String name() {
		return "slow-redis";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(2_000, Duration.ofSeconds(10))
				: Scenario.of(10_000, Duration.ofSeconds(40));
	}

	@Override
	public Timing timing(Scale scale) {
		return Timing.ofOutages(scale);
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		RedisNode redis = stage.redis(StandaloneRedis.class).node();
		stage.pause(Duration.ofSeconds(2));
		Duration slow = (stage.scale() == Scale.QUICK) ? Duration.ofSeconds(10) : Duration.ofSeconds(20);
		try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "Redis stopped most of " + slow)) {
			stop(stage, redis, Duration.ofMillis(2500));
			long end = System.nanoTime() + slow.toNanos();
			while (System.nanoTime() < end) {
				stop(stage, redis, Duration.ofMillis(50 + stage.random().nextInt(700)));
			}
		}
	}

	private static void stop(Stage stage, RedisNode redis, Duration time) throws InterruptedException {
		redis.pause();
		try {
			stage.pause(time);
		}
		finally {
			redis.resume();
		}
		// On a busy machine it goes on later
		redis.call((jedis) -> jedis.ping());
		stage.pause(BREATH);
	}

}
