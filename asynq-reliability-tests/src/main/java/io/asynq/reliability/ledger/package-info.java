/**
 * What producers, handlers and faults saw, in files that outlive them.
 */
@NullMarked
package io.asynq.reliability.ledger;

import org.jspecify.annotations.NullMarked;
