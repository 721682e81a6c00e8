/**
 * Annotations that make methods handlers, aggregators and periodic tasks.
 */
@NullMarked
package io.asynq.annotation;

import org.jspecify.annotations.NullMarked;
