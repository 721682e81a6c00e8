package io.asynq.internal.lifecycle;

import org.springframework.context.SmartLifecycle;

/**
 * The order in which components start; they stop in reverse, senders before receivers, so
 * that what a component still hands over finds its receiver running, and the heartbeat,
 * which keeps leases alive, is the last to stop but for the listeners; all phases lie
 * above those of web servers and executors, so the server stops before they do, and
 * before Redis connections close.
 */
public enum ServerPhase {

	/** Calls listeners, also with what happens during a stop. */
	LISTENERS,

	HEARTBEATER,

	HEALTH_CHECKER,

	AGGREGATOR,

	JANITOR,

	/** Looks after tasks that wait for a handler. */
	UNHANDLED_TASKS,

	SUBSCRIBER,

	/** Writes outcomes, again until Redis has them. */
	SYNCER,

	/** Gives tokens of limits back and looks after tasks that wait for them. */
	LIMITS,

	DEADLINE_WATCH,

	RECOVERER,

	PROCESSOR,

	ARRIVAL_WATCH,

	FORWARDER,

	SCHEDULER;

	private static final int FIRST = SmartLifecycle.DEFAULT_PHASE - 1000;

	private static final int STEP = 10;

	/** Lies between the phases of web servers and of message listener containers. */
	public int value() {
		return FIRST + ordinal() * STEP;
	}

}
