/**
 * Redis on real processes, so that they can be killed, stopped, failed over and cut off.
 */
@NullMarked
package io.asynq.reliability.redis;

import org.jspecify.annotations.NullMarked;
