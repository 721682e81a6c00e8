/**
 * Tasks as the console shows them: lists, details, payloads.
 */
@NullMarked
package io.asynq.console.task;

import org.jspecify.annotations.NullMarked;
