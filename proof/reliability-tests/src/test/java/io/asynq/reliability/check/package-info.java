/** Violated invariants are found, and nothing else. */
@NullMarked
package io.asynq.reliability.check;

import org.jspecify.annotations.NullMarked;
