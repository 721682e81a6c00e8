/**
 * Annotations for bean methods that handle, aggregate or periodically enqueue tasks.
 */
@NullMarked
package io.asynq.annotation;

import org.jspecify.annotations.NullMarked;
