/**
 * Tests of the parts of the program.
 */
@NullMarked
package io.asynq.cli.connect;

import org.jspecify.annotations.NullMarked;
