/**
 * Periodic tasks, each fire of which is enqueued once, however many schedulers run.
 */
@NullMarked
package io.asynq.scheduler;

import org.jspecify.annotations.NullMarked;
