/**
 * Tests of the clocks and days of tests.
 */
@NullMarked
package io.asynq.test;

import org.jspecify.annotations.NullMarked;
