package io.asynq.archfixture.internal.lifecycle;

import java.time.Clock;

/**
 * Breaks the rule that the clock is injected.
 */
public class LoopThatMakesClock {

	final Clock clock = Clock.systemUTC();

}
