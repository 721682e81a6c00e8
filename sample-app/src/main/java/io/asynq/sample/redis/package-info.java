/**
 * An embedded Redis for when no other is configured. Applications do not need this.
 */
@NullMarked
package io.asynq.sample.redis;

import org.jspecify.annotations.NullMarked;
