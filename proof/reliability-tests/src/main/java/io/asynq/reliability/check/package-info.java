/** The invariants after a fault, judged from the ledger and Redis alone. */
@NullMarked
package io.asynq.reliability.check;

import org.jspecify.annotations.NullMarked;
