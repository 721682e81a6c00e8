/**
 * Checks before the first task is taken.
 */
@NullMarked
package io.asynq.operations.preflight;

import org.jspecify.annotations.NullMarked;
