/**
 * Meters of this process.
 */
@NullMarked
package io.asynq.internal.metrics;

import org.jspecify.annotations.NullMarked;
