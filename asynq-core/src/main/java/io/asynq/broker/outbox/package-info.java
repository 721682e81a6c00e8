/**
 * Tasks that wait in a database until their transaction has committed.
 */
@NullMarked
package io.asynq.broker.outbox;

import org.jspecify.annotations.NullMarked;
