/**
 * Tests of the Redis processes.
 */
@NullMarked
package io.asynq.test.redis;

import org.jspecify.annotations.NullMarked;
