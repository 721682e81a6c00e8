package io.asynq.archfixture.internal.lifecycle;

import java.time.Clock;
import java.time.Instant;

/**
 * Breaks no rule: it uses an injected clock and nanoTime.
 */
public class PlainLoop {

	final Instant now;

	final long nanos = System.nanoTime();

	PlainLoop(Clock clock) {
		this.now = clock.instant();
	}

}
