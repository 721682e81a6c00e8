/**
 * A single task in Redis: store, take, keep the lease, end, forward.
 */
@NullMarked
package io.asynq.broker.redis.task;

import org.jspecify.annotations.NullMarked;
