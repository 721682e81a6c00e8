/**
 * Runs of the program, as a shell sees them.
 */
@NullMarked
package io.asynq.cli;

import org.jspecify.annotations.NullMarked;
