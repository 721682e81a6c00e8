/**
 * The vocabulary of asynq: tasks, their options and states, policies and errors.
 */
@NullMarked
package io.asynq;

import org.jspecify.annotations.NullMarked;
