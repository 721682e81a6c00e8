/**
 * Micrometer observations of tasks: timers and spans.
 */
@NullMarked
package io.asynq.observation;

import org.jspecify.annotations.NullMarked;
