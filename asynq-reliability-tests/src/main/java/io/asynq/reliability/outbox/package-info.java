/**
 * An application with an outbox that is killed, and what must be in the queues
 * afterwards.
 */
@NullMarked
package io.asynq.reliability.outbox;

import org.jspecify.annotations.NullMarked;
