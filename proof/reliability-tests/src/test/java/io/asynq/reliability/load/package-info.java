/** Loads are reproducible. */
@NullMarked
package io.asynq.reliability.load;

import org.jspecify.annotations.NullMarked;
