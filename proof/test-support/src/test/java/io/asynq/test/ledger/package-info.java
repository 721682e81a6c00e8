/**
 * Tests of reading what was written.
 */
@NullMarked
package io.asynq.test.ledger;

import org.jspecify.annotations.NullMarked;
