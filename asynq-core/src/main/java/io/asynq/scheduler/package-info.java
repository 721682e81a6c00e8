/**
 * Periodic tasks: when they fire, and how a fire becomes a task once among any number of
 * schedulers.
 */
@NullMarked
package io.asynq.scheduler;

import org.jspecify.annotations.NullMarked;
