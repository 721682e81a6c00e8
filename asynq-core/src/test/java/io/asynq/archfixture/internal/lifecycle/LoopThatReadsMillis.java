package io.asynq.archfixture.internal.lifecycle;

/**
 * Breaks the rule that time comes from the clock.
 */
public class LoopThatReadsMillis {

	final long now = System.currentTimeMillis();

}
