/**
 * The command-line program.
 */
@NullMarked
package io.asynq.cli;

import org.jspecify.annotations.NullMarked;
