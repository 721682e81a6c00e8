/**
 * Tests of the tests that users write.
 */
@NullMarked
package io.asynq.spring.boot.test;

import org.jspecify.annotations.NullMarked;
