package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.function.Consumer;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.RedisSetup;
import io.asynq.test.redis.StandaloneRedis;

/**
 * Redis answers but refuses writes for a while, for several reasons. It is shorter than a
 * lease, so nothing may run twice: outcomes wait until they are accepted.
 */
final class RefusedWrites implements Fault {

	private static final String[] APPEND_ONLY = { "appendonly yes", "appendfsync everysec" };

	private final String name;

	private final String[] settings;

	private final Consumer<RedisNode> begin;

	private final Consumer<RedisNode> end;

	private RefusedWrites(String name, String[] settings, Consumer<RedisNode> begin, Consumer<RedisNode> end) {
		this.name = name;
		this.settings = settings;
		this.begin = begin;
		this.end = end;
	}

	static RefusedWrites maxMemory() {
		return new RefusedWrites("maxmemory", new String[] { "maxmemory-policy noeviction" },
				(redis) -> redis.configure("maxmemory",
						String.valueOf(Long.parseLong(redis.info("memory").get("used_memory")) / 2)),
				(redis) -> redis.configure("maxmemory", "0"));
	}

	/**
	 * The master becomes a read-only replica, as by a mistake or in a manual failover,
	 * and a master again.
	 */
	static RefusedWrites readOnlyReplica() {
		// Of a master that does not exist, because an existing one would replace its data
		return new RefusedWrites("read-only-replica", new String[0],
				(redis) -> redis.call((jedis) -> jedis.replicaof("127.0.0.1", 1)),
				(redis) -> redis.call((jedis) -> jedis.replicaofNoOne()));
	}

	/** The disk of Redis is full, so that it cannot write its append-only file. */
	static RefusedWrites fullDisk() {
		return new RefusedWrites("full-disk", APPEND_ONLY, RedisNode::fillDisk, RedisNode::makeRoom);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(600, Duration.ofSeconds(4))
				: Scenario.of(4000, Duration.ofSeconds(30));
	}

	@Override
	public Timing timing(Scale scale) {
		return Timing.ofOutages(scale);
	}

	@Override
	public RedisSetup openRedis() {
		return StandaloneRedis.start(this.settings);
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		RedisNode redis = stage.redis(StandaloneRedis.class).node();
		Duration refused = stage.timing().lease().dividedBy(4);
		while (stage.feeding()) {
			// Long enough between two to extend leases and to write outcomes
			stage.pause(stage.timing().heartbeat().multipliedBy(2));
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "writes refused")) {
				this.begin.accept(redis);
				stage.pause(refused);
				this.end.accept(redis);
			}
		}
	}

}
