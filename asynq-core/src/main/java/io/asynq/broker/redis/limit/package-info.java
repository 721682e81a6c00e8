/**
 * Limits in Redis.
 */
@NullMarked
package io.asynq.broker.redis.limit;

import org.jspecify.annotations.NullMarked;
