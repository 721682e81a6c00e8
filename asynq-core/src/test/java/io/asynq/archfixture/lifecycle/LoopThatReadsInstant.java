package io.asynq.archfixture.lifecycle;

import java.time.Instant;

/**
 * Breaks: time comes from a clock.
 */
public class LoopThatReadsInstant {

	final Instant now = Instant.now();

}
