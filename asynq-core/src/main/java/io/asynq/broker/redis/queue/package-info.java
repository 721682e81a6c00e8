/**
 * Reads, moves, deletes and checks queues in Redis by hand.
 */
@NullMarked
package io.asynq.broker.redis.queue;

import org.jspecify.annotations.NullMarked;
