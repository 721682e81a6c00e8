package io.asynq.console;

/**
 * What somebody may do in the console. Each right is asked for by itself.
 */
public enum ConsoleRight {

	/** See queues, tasks, servers and schedulers. */
	LOOK,

	/** See payloads, results and the values of headers too. */
	SEE_PAYLOADS,

	/** Change tasks and pause queues. */
	ACT,

	/** Delete queues, delete all tasks of a state, and repair. */
	ADMIN

}
