/**
 * The only place that knows Redis, Lua and protobuf.
 */
@NullMarked
package io.asynq.broker.redis;

import org.jspecify.annotations.NullMarked;
