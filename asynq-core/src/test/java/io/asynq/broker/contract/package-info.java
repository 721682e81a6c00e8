/**
 * What the roles of any broker answer, seen through the roles alone: proven for Redis and
 * for the broker in memory that users test with.
 */
@NullMarked
package io.asynq.broker.contract;

import org.jspecify.annotations.NullMarked;
