/**
 * Tests of the parts of the program.
 */
@NullMarked
package io.asynq.cli.command;

import org.jspecify.annotations.NullMarked;
