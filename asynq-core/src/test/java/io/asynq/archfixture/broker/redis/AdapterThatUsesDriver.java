package io.asynq.archfixture.broker.redis;

import redis.clients.jedis.Jedis;

/**
 * Breaks the rule that nobody uses a driver.
 */
public class AdapterThatUsesDriver {

	final Class<?> driver = Jedis.class;

}
