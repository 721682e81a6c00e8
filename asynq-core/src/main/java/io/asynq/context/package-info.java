/**
 * Carries context from where a task is enqueued to where it is handled.
 */
@NullMarked
package io.asynq.context;

import org.jspecify.annotations.NullMarked;
