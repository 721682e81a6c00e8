/**
 * Tests of the parts of the program.
 */
@NullMarked
package io.asynq.cli.output;

import org.jspecify.annotations.NullMarked;
