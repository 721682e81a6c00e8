/**
 * A real Redis for the tests of every module.
 */
@NullMarked
package io.asynq.test;

import org.jspecify.annotations.NullMarked;
