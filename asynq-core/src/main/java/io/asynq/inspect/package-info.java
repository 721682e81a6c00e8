/**
 * Looking at queues and tasks.
 */
@NullMarked
package io.asynq.inspect;

import org.jspecify.annotations.NullMarked;
