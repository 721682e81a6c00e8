package io.asynq.archfixture.internal.fleet;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

public final class LoopThatUsesSpringDataRedis {

	final @Nullable RedisConnectionFactory used = null;

}
