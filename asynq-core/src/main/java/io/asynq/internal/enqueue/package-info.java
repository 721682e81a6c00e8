/**
 * A task from the call to Redis.
 */
@NullMarked
package io.asynq.internal.enqueue;

import org.jspecify.annotations.NullMarked;
