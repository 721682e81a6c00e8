package io.asynq.archfixture.internal.fleet;

import io.asynq.internal.redis.ScriptRunner;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

public final class PlainStore {

	final @Nullable ScriptRunner scripts = null;

	final @Nullable RedisConnectionFactory used = null;

}
