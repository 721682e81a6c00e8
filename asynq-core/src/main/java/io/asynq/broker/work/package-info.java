/**
 * Which queues have work for the loops that keep them in order.
 */
@NullMarked
package io.asynq.broker.work;

import org.jspecify.annotations.NullMarked;
