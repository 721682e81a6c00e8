package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.RedisSetup;
import io.asynq.test.redis.StandaloneRedis;

/** Redis is killed with SIGKILL and restarted on its append-only file. */
final class RedisKill implements Fault {

	private final String fsync;

	private final Duration mayLose;

	private final Explains explains;

	private RedisKill(String fsync, Duration mayLose, Explains explains) {
		this.fsync = fsync;
		this.mayLose = mayLose;
		this.explains = explains;
	}

	/**
	 * Redis syncs each write before it answers: nothing may be lost, not even the
	 * completion of a task.
	 */
	static RedisKill always() {
		return new RedisKill("always", Duration.ZERO, Explains.NOTHING);
	}

	/** Redis syncs once a second, and documents that up to two seconds may be lost. */
	static RedisKill everySecond() {
		return new RedisKill("everysec", Duration.ofSeconds(2), Explains.ANY);
	}

	@Override
	public String name() {
		return "redis-kill-" + this.fsync;
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(800, Duration.ofSeconds(5))
				: Scenario.of(4000, Duration.ofSeconds(20));
	}

	@Override
	public Timing timing(Scale scale) {
		return Timing.ofOutages(scale);
	}

	@Override
	public RedisSetup openRedis() {
		return StandaloneRedis.start("appendonly yes", "appendfsync " + this.fsync);
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		StandaloneRedis redis = stage.redis(StandaloneRedis.class);
		while (stage.feeding()) {
			stage.pause(Duration.ofMillis(1500 + stage.random().nextInt(1000)));
			try (Stage.Window window = stage.window(Stage.Window.ALL, this.explains, "Redis killed")) {
				redis.node().kill();
				redis.node().restart();
			}
		}
	}

	@Override
	public Duration redisMayLose() {
		return this.mayLose;
	}

}
