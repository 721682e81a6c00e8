/**
 * Enqueues tasks.
 */
@NullMarked
package io.asynq.client;

import org.jspecify.annotations.NullMarked;
