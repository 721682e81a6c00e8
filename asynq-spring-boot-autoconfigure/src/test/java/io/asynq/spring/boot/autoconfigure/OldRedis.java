package io.asynq.spring.boot.autoconfigure;

import java.nio.file.Path;

import io.asynq.test.redis.RedisNode;

/**
 * A Redis 2.8, unpacked by the build.
 */
final class OldRedis {

	private OldRedis() {
	}

	static RedisNode start() {
		Path program = Path.of("target/old-redis/redis-server-2.8.19");
		if (!program.toFile().setExecutable(true)) {
			throw new IllegalStateException(program + " is missing: the build unpacks it");
		}
		return RedisNode.start(program);
	}

}
