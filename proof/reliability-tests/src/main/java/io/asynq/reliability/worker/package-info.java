/** The application that runs in a worker's process. */
@NullMarked
package io.asynq.reliability.worker;

import org.jspecify.annotations.NullMarked;
