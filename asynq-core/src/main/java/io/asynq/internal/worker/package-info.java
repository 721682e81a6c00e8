/**
 * A task from dequeue to outcome, and the loops that keep queues whole.
 */
@NullMarked
package io.asynq.internal.worker;

import org.jspecify.annotations.NullMarked;
