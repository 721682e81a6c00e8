/**
 * Stand-ins for tests that need no Redis.
 */
@NullMarked
package io.asynq.test;

import org.jspecify.annotations.NullMarked;
