/**
 * The tasks that are enqueued while harm is done.
 */
@NullMarked
package io.asynq.reliability.load;

import org.jspecify.annotations.NullMarked;
