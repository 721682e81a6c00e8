/**
 * Writes outcomes to Redis.
 */
@NullMarked
package io.asynq.server.outcome;

import org.jspecify.annotations.NullMarked;
