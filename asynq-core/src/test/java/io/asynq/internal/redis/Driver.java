package io.asynq.internal.redis;

import java.time.Duration;
import java.util.function.Supplier;

import io.asynq.test.LettuceClusterExtension;
import io.asynq.test.LettuceRedisExtension;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.extension.AfterAllCallback;

/**
 * The driver and the kind of Redis that a contract runs on.
 */
public enum Driver {

	STANDALONE("standalone", RedisExtension::new),

	CLUSTER("cluster", () -> new RedisClusterExtension(Duration.ofSeconds(30))),

	LETTUCE("lettuce", LettuceRedisExtension::new),

	LETTUCE_CLUSTER("lettuce-cluster", LettuceClusterExtension::new);

	private final String name;

	private final Supplier<AfterAllCallback> extension;

	Driver(String name, Supplier<AfterAllCallback> extension) {
		this.name = name;
		this.extension = extension;
	}

	/**
	 * Connects: the returned extension provides tests with connections and empties Redis
	 * before each of them.
	 */
	AfterAllCallback connect() {
		return this.extension.get();
	}

	@Override
	public String toString() {
		return this.name;
	}

}
