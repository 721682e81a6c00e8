/**
 * Limits on how many tasks run at a time, and how often they start.
 */
@NullMarked
package io.asynq.limit;

import org.jspecify.annotations.NullMarked;
