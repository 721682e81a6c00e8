/**
 * Observations of tasks, and the conventions that name them.
 */
@NullMarked
package io.asynq.observation;

import org.jspecify.annotations.NullMarked;
