package io.asynq.archfixture.broker.redis;

import redis.clients.jedis.Jedis;

/**
 * Breaks: nobody knows a driver.
 */
public class AdapterThatUsesDriver {

	final Class<?> driver = Jedis.class;

}
