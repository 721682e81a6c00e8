/**
 * A real Redis for tests of every module.
 */
@NullMarked
package io.asynq.test;

import org.jspecify.annotations.NullMarked;
