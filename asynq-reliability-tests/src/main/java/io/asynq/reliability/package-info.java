/**
 * Breaks the real thing on purpose and shows that nothing acknowledged is lost, nothing
 * is stuck, and what ran twice is explained.
 */
@NullMarked
package io.asynq.reliability;

import org.jspecify.annotations.NullMarked;
