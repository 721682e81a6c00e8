/**
 * What asynq needs from its store, in terms that name no technology; unless they say
 * otherwise, methods throw {@link io.asynq.BrokerException} if Redis cannot be reached or
 * fails, and types are safe for concurrent use.
 */
@NullMarked
package io.asynq.broker;

import org.jspecify.annotations.NullMarked;
