/**
 * Tests of processes that end with this one.
 */
@NullMarked
package io.asynq.test.process;

import org.jspecify.annotations.NullMarked;
