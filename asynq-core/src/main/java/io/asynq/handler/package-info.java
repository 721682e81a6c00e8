/**
 * From a task to the code that handles it.
 */
@NullMarked
package io.asynq.handler;

import org.jspecify.annotations.NullMarked;
