/**
 * Creates handlers, aggregators and periodic tasks from annotated methods.
 */
@NullMarked
package io.asynq.annotation.method;

import org.jspecify.annotations.NullMarked;
