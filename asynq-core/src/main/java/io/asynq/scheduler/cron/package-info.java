/**
 * When a schedule fires, by the rules of Go's cron library; independent of tasks.
 */
@NullMarked
package io.asynq.scheduler.cron;

import org.jspecify.annotations.NullMarked;
