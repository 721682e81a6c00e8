/**
 * Tests of the parts of the program.
 */
@NullMarked
package io.asynq.cli.terminal;

import org.jspecify.annotations.NullMarked;
