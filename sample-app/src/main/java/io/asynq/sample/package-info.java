/**
 * An order service whose work is done by asynq tasks. Each class shows one feature.
 */
@NullMarked
package io.asynq.sample;

import org.jspecify.annotations.NullMarked;
