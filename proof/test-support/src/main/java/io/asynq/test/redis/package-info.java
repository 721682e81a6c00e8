/**
 * Redis in real processes that can be killed, paused, failed over and disconnected.
 */
@NullMarked
package io.asynq.test.redis;

import org.jspecify.annotations.NullMarked;
