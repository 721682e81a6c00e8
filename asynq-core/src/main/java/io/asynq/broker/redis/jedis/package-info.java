/**
 * Classes that need Jedis, loaded only where it is the application's driver.
 */
@NullMarked
package io.asynq.broker.redis.jedis;

import org.jspecify.annotations.NullMarked;
