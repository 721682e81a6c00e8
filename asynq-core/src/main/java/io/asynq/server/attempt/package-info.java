/**
 * One attempt at a task: its times, its end, and what a failure means.
 */
@NullMarked
package io.asynq.server.attempt;

import org.jspecify.annotations.NullMarked;
