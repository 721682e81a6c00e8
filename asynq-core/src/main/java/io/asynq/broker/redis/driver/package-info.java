/**
 * What all drivers have in common.
 */
@NullMarked
package io.asynq.broker.redis.driver;

import org.jspecify.annotations.NullMarked;
