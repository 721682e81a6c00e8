/**
 * What is written is read.
 */
@NullMarked
package io.asynq.reliability.ledger;

import org.jspecify.annotations.NullMarked;
