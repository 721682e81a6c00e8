/**
 * Bean methods as task handlers.
 */
@NullMarked
package io.asynq.annotation;

import org.jspecify.annotations.NullMarked;
