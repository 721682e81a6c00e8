package io.asynq.archfixture.lifecycle;

/**
 * Breaks: time comes from a clock.
 */
public class LoopThatReadsMillis {

	final long now = System.currentTimeMillis();

}
