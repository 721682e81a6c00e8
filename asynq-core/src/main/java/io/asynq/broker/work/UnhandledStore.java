package io.asynq.broker.work;

import java.time.Duration;
import java.util.List;

/**
 * Tasks that wait in retry because no server that has taken them has a handler for their
 * type. Safe for concurrent use, also between servers.
 */
public interface UnhandledStore {

	/** So many types are listed at most. */
	int MOST_TYPES = 100;

	/**
	 * Lists types of a queue whose tasks wait, those first that were put off least.
	 * @return {@value #MOST_TYPES} at most
	 */
	List<Waiting> waiting(String queue);

	/**
	 * Puts off the tasks of a type so that none is due within the next seconds. Those
	 * that have waited for too long become due now.
	 * @param type the type as it was listed
	 * @param maxAge for how long a task may wait
	 */
	void putOff(String queue, Waiting type, Duration maxAge);

	/**
	 * Makes all waiting tasks of a type due now, because there is a handler. Tasks that
	 * were tried meanwhile keep the time of their retry.
	 * @param type the type as it was listed
	 */
	void release(String queue, Waiting type);

	/**
	 * A type whose tasks wait.
	 *
	 * @param tasks how many
	 * @param until until when they are put off, in seconds since the epoch; 0 for not yet
	 */
	record Waiting(String type, long tasks, long until) {
	}

}
