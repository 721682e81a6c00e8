/**
 * Looks at queues, tasks, servers and schedulers, and acts on them by hand.
 */
@NullMarked
package io.asynq.inspect;

import org.jspecify.annotations.NullMarked;
