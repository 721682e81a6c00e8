/**
 * The order in which components start and stop, and the loops they run.
 */
@NullMarked
package io.asynq.lifecycle;

import org.jspecify.annotations.NullMarked;
