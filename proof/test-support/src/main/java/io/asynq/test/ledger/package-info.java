/**
 * The records of producers, handlers and faults, in files that outlive their processes.
 */
@NullMarked
package io.asynq.test.ledger;

import org.jspecify.annotations.NullMarked;
