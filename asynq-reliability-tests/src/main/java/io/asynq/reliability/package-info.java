/**
 * Breaks real processes on purpose and shows that nothing acknowledged is lost, nothing
 * is stuck, and repeated runs are explained.
 */
@NullMarked
package io.asynq.reliability;

import org.jspecify.annotations.NullMarked;
