package io.asynq.archfixture.inspect;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.RedisTemplate;

public final class InspectorThatShowsRedis {

	public @Nullable RedisTemplate<String, byte[]> template() {
		return null;
	}

}
