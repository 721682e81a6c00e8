/**
 * Tests of the commands that watch and repair.
 */
@NullMarked
package io.asynq.cli.care;

import org.jspecify.annotations.NullMarked;
