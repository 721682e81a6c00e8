/**
 * Periodic tasks.
 */
@NullMarked
package io.asynq.schedule;

import org.jspecify.annotations.NullMarked;
