/** Breaks real processes on purpose and judges what is left. */
@NullMarked
package io.asynq.reliability;

import org.jspecify.annotations.NullMarked;
