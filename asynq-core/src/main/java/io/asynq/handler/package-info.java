/**
 * Handlers and aggregators of tasks, and what they use: contexts, interceptors,
 * semaphores, exceptions.
 */
@NullMarked
package io.asynq.handler;

import org.jspecify.annotations.NullMarked;
