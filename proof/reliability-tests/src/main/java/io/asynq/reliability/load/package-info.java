/** The tasks that are enqueued during a fault. */
@NullMarked
package io.asynq.reliability.load;

import org.jspecify.annotations.NullMarked;
