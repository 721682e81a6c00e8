/**
 * Processes end with this one.
 */
@NullMarked
package io.asynq.reliability.process;

import org.jspecify.annotations.NullMarked;
