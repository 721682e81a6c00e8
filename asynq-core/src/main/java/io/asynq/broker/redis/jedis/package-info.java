/**
 * What depends on Jedis. Only loaded where it is the application's driver.
 */
@NullMarked
package io.asynq.broker.redis.jedis;

import org.jspecify.annotations.NullMarked;
