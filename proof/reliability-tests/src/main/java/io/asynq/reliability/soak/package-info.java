/** Checks that nothing grows while a worker runs for long. */
@NullMarked
package io.asynq.reliability.soak;

import org.jspecify.annotations.NullMarked;
