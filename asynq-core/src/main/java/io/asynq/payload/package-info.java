/**
 * Converts objects to payload bytes and back.
 */
@NullMarked
package io.asynq.payload;

import org.jspecify.annotations.NullMarked;
