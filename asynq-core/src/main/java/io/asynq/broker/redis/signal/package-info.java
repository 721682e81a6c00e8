/**
 * What Redis pushes to a server: arrivals and cancellations.
 */
@NullMarked
package io.asynq.broker.redis.signal;

import org.jspecify.annotations.NullMarked;
