/**
 * What may be wrong with the store itself, before any task is lost.
 */
@NullMarked
package io.asynq.broker.check;

import org.jspecify.annotations.NullMarked;
