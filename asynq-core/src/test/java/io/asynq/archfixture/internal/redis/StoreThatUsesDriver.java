package io.asynq.archfixture.internal.redis;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;

public final class StoreThatUsesDriver {

	final @Nullable Jedis used = null;

}
