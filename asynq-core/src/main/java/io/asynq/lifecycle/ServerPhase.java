package io.asynq.lifecycle;

import org.springframework.context.SmartLifecycle;

/**
 * The order in which components start; they stop in reverse. Senders stop before
 * receivers: what a component still hands over while it stops finds its receiver running.
 * The heartbeat, which keeps leases alive, is the last to stop but for the listeners.
 * <p>
 * All phases lie above those of web servers and executors, so the server stops before
 * they do, and before Redis connections close.
 */
public enum ServerPhase {

	/** Calls listeners, also with what happens during a stop. */
	LISTENERS,

	/** Extends leases and the server's entry. */
	HEARTBEATER,

	/** Pings Redis. */
	HEALTH_CHECKER,

	/** Turns groups into tasks. */
	AGGREGATOR,

	/** Deletes completed tasks whose retention is over. */
	JANITOR,

	/** Looks after tasks that wait for a handler. */
	UNHANDLED,

	/** Receives cancellations. */
	SUBSCRIBER,

	/** Resends outcomes that Redis did not take. */
	SYNCER,

	/** Sends outcomes. */
	OUTCOME_REPORTER,

	/** Gives tokens of limits back and looks after tasks that wait for them. */
	LIMITS,

	/** Watches deadlines and stuck handlers. */
	DEADLINE_WATCH,

	/** Recovers tasks whose server is gone. */
	RECOVERER,

	/** Takes tasks and runs handlers. */
	PROCESSOR,

	/** Wakes processor and forwarder when something arrives. */
	ARRIVAL_WATCH,

	/** Makes due tasks pending. */
	FORWARDER,

	/** Enqueues periodic tasks. */
	SCHEDULER;

	private static final int FIRST = SmartLifecycle.DEFAULT_PHASE - 1000;

	private static final int STEP = 10;

	/**
	 * Returns the phase for {@link SmartLifecycle#getPhase()}.
	 * @return a value between those of web servers and of message listener containers
	 */
	public int value() {
		return FIRST + ordinal() * STEP;
	}

}
