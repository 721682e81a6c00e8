/**
 * Tests of applications that use asynq, without Redis: {@code @AutoConfigureAsynq} and
 * {@code @AsynqTest}, and what they offer to tests.
 */
@NullMarked
package io.asynq.spring.boot.test;

import org.jspecify.annotations.NullMarked;
