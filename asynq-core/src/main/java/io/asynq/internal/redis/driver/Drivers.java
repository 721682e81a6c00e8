package io.asynq.internal.redis.driver;

import org.springframework.util.ClassUtils;

/** Types of a driver are loaded only where it is. */
public final class Drivers {

	public static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	public static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private Drivers() {
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, Drivers.class.getClassLoader());
	}

}
