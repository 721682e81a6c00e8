package io.asynq.archfixture.lifecycle;

import java.time.Clock;
import java.time.Instant;

/**
 * Breaks nothing: it uses a clock it is given, and nanoTime.
 */
public class PlainLoop {

	final Instant now;

	final long nanos = System.nanoTime();

	PlainLoop(Clock clock) {
		this.now = clock.instant();
	}

}
