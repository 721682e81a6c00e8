/**
 * The broker on Redis, the only packages that know Redis, Lua and protobuf.
 */
@NullMarked
package io.asynq.broker.redis;

import org.jspecify.annotations.NullMarked;
