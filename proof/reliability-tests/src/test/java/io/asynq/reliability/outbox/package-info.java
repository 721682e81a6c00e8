/** Tests of the judge of the outbox. */
@NullMarked
package io.asynq.reliability.outbox;

import org.jspecify.annotations.NullMarked;
