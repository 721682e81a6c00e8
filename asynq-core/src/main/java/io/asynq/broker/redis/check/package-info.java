/**
 * Checks the settings of Redis on which the safety of tasks depends.
 */
@NullMarked
package io.asynq.broker.redis.check;

import org.jspecify.annotations.NullMarked;
