/**
 * How objects become payloads.
 */
@NullMarked
package io.asynq.payload;

import org.jspecify.annotations.NullMarked;
