/**
 * Meters of queues.
 */
@NullMarked
package io.asynq.metrics;

import org.jspecify.annotations.NullMarked;
