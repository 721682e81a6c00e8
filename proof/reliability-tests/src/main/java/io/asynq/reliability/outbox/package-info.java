/** An application with an outbox is killed; what must be in the queues? */
@NullMarked
package io.asynq.reliability.outbox;

import org.jspecify.annotations.NullMarked;
