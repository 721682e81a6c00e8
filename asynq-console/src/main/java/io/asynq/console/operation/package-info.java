/**
 * What the console does by hand, with one call of an operation each.
 */
@NullMarked
package io.asynq.console.operation;

import org.jspecify.annotations.NullMarked;
