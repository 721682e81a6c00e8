/**
 * The inspector: reading and changing queues and tasks by hand.
 */
@NullMarked
package io.asynq.inspect;

import org.jspecify.annotations.NullMarked;
