package io.asynq.broker;

import java.util.Map;
import java.util.function.Consumer;

import io.asynq.info.Inconsistency;

/**
 * Manual operations on whole queues: pause, resume, delete, diagnose and repair. Safe for
 * concurrent use.
 */
public interface QueueKeeper {

	/**
	 * Stops servers from taking tasks of a queue, which need not exist yet.
	 * @return {@code false} if it is paused already
	 */
	boolean pause(String queue);

	/**
	 * Lets servers take tasks of a queue again.
	 * @return {@code false} if it is not paused
	 */
	boolean resume(String queue);

	/**
	 * Deletes a queue with everything that belongs to it, in bounded steps. Scans all
	 * keys of the database.
	 * @param force whether with its tasks; active ones are never deleted
	 * @return the tasks that prevent it, counted by state; empty if the queue was deleted
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; the deletion
	 * is continued by the next call, by the queue's servers and by the next deletion of
	 * any queue
	 */
	Map<String, Long> delete(String queue, boolean force);

	/**
	 * Checks a whole queue, in slices that do not block Redis for long. The cost grows
	 * with the number of tasks and of keys in the database. Servers may keep working:
	 * each finding is checked a second time.
	 * @param found takes each inconsistency
	 */
	void check(String queue, Consumer<Inconsistency> found);

	/**
	 * Repairs an inconsistency, if it still exists.
	 * @param inconsistency what was found
	 * @return whether it was repaired; {@code false} if it no longer exists, or if a key
	 * that would have to be written has the wrong type
	 */
	boolean repair(Inconsistency inconsistency);

}
