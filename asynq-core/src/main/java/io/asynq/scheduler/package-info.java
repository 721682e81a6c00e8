/**
 * Periodic tasks. Each fire is enqueued once, however many schedulers run.
 */
@NullMarked
package io.asynq.scheduler;

import org.jspecify.annotations.NullMarked;
