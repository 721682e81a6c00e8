package io.asynq.interop.random;

import java.time.Duration;
import java.util.Locale;

import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;

/**
 * How an attempt ends; the type of the task says it.
 */
enum Fate {

	OK(Action.OK, 1, 0), FAIL(Action.FAIL, 1, 1), SKIP(Action.SKIP, 1, 1), REVOKE(Action.REVOKE, 1, 0),
	POSTPONE(Action.POSTPONE, 0, 0),

	/** Works until it is cancelled, which is a failure. */
	BLOCK(Action.BLOCK, 1, 1);

	/** Long enough that a polling server gets its share beside one that is woken. */
	private static final Duration DURATION = Duration.ofMillis(20);

	private final Action action;

	private final int processed;

	private final int failed;

	Fate(Action action, int processed, int failed) {
		this.action = action;
		this.processed = processed;
		this.failed = failed;
	}

	static Fate ofType(String type) {
		return valueOf(type.toUpperCase(Locale.ROOT));
	}

	String type() {
		return name().toLowerCase(Locale.ROOT);
	}

	Behaviour behaviour() {
		return new Behaviour(this.action, 0, type(), null, DURATION);
	}

	int processed() {
		return this.processed;
	}

	int failed() {
		return this.failed;
	}

}
