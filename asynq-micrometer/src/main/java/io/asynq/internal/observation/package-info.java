/**
 * How observations are made, and what listens to them.
 */
@NullMarked
package io.asynq.internal.observation;

import org.jspecify.annotations.NullMarked;
