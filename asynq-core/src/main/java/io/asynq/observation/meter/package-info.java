/**
 * The meters of observations.
 */
@NullMarked
package io.asynq.observation.meter;

import org.jspecify.annotations.NullMarked;
