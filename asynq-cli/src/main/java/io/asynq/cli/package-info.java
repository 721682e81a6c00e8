/**
 * The command-line program: its main class, its commands and what it says of mistakes.
 */
@NullMarked
package io.asynq.cli;

import org.jspecify.annotations.NullMarked;
