/**
 * What the Jedis and the Lettuce packages share.
 */
@NullMarked
package io.asynq.broker.redis.driver;

import org.jspecify.annotations.NullMarked;
