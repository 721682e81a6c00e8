/**
 * Commands for queues and groups.
 */
@NullMarked
package io.asynq.cli.queue;

import org.jspecify.annotations.NullMarked;
