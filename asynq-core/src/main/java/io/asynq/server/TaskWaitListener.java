package io.asynq.server;

import java.time.Duration;

/**
 * Called with the time for which a task was pending, each time that a server takes tasks:
 * that of the first of them, which has waited longest. The time begins when the task was
 * enqueued or, after a delay or for a retry, found due, by the clock of whoever made it
 * pending; it ends by Redis's clock. Beans of this type are called by the thread that
 * takes tasks, so they must be fast; what they throw is logged and changes nothing.
 */
@FunctionalInterface
public interface TaskWaitListener {

	/**
	 * Called before a worker gets a task, unless the time is unknown.
	 * @param waited never negative
	 */
	void onTaskTaken(String queue, Duration waited);

}
