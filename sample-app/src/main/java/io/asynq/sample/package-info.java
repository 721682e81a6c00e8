/**
 * An order service that uses asynq tasks; each class shows one feature.
 */
@NullMarked
package io.asynq.sample;

import org.jspecify.annotations.NullMarked;
