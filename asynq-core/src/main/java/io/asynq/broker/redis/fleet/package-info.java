/**
 * Servers, schedulers and cluster nodes in Redis.
 */
@NullMarked
package io.asynq.broker.redis.fleet;

import org.jspecify.annotations.NullMarked;
