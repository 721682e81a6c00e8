package io.asynq.server;

import java.time.Duration;

/**
 * Is told how long tasks have waited when a server takes them, by the first of the tasks
 * that it takes at a time: from the moment in which that became pending, which is when it
 * was enqueued, or when a server found it due after a delay or for a retry. It goes by
 * the clock of whoever made it pending, and by Redis's. Beans of this type are called by
 * the thread that takes tasks, which waits for them; what they throw is logged and
 * changes nothing.
 */
@FunctionalInterface
public interface TaskWaitListener {

	/**
	 * A worker is about to get a task of which it is known how long it has waited.
	 * @param queue the queue
	 * @param waited never negative
	 */
	void onTaskTaken(String queue, Duration waited);

}
