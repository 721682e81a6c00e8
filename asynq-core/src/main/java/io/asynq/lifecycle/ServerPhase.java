package io.asynq.lifecycle;

import org.springframework.context.SmartLifecycle;

/**
 * The order in which the components start; they stop in the opposite one. Senders stop
 * before receivers: what a component still hands over while it stops finds its receiver
 * running, and the heartbeat, which keeps leases alive, ends last.
 * <p>
 * All phases lie above those of web servers and of executors, so the server stops while
 * both, and Redis, still stand.
 */
public enum ServerPhase {

	/** Keeps leases and the server's entry alive. */
	HEARTBEATER,

	/** Pings Redis. */
	HEALTH_CHECKER,

	/** Turns groups into tasks. */
	AGGREGATOR,

	/** Deletes completed tasks whose retention is over. */
	JANITOR,

	/** Receives cancellations. */
	SUBSCRIBER,

	/** Sends outcomes again that Redis did not take. */
	SYNCER,

	/** Sends outcomes. */
	OUTCOME_REPORTER,

	/** Watches deadlines and stuck handlers. */
	DEADLINE_WATCH,

	/** Brings back tasks whose server is gone. */
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
