package io.asynq.archfixture.internal.lifecycle;

import java.time.Instant;

/**
 * Breaks the rule that time comes from the clock.
 */
public class LoopThatReadsInstant {

	final Instant now = Instant.now();

}
