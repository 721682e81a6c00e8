/**
 * Commands for tasks.
 */
@NullMarked
package io.asynq.cli.task;

import org.jspecify.annotations.NullMarked;
