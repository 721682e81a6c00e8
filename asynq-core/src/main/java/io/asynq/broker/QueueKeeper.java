package io.asynq.broker;

import java.util.Map;
import java.util.function.Consumer;

import io.asynq.info.Inconsistency;
import org.jspecify.annotations.Nullable;

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
	 * Counts the tasks of a queue that wait because no live server has a handler for
	 * their type.
	 * @return how many, by type; a hundred types at most
	 */
	Map<String, Long> unhandled(String queue);

	/**
	 * Checks a part of a queue, in slices that do not block Redis for long. Servers may
	 * keep working: each finding is checked a second time.
	 * @param cursor where to go on, {@code null} to begin
	 * @param limit about how many ids and keys of the database to look at. The ids of
	 * pending tasks are read in addition, once
	 * @param found takes each inconsistency; one that concerns several places may be
	 * found in several parts
	 * @return where to go on, {@code null} at the end
	 * @throws io.asynq.AsynqException if the cursor is none of ours
	 */
	@Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found);

	/**
	 * Checks a whole queue. The cost grows with the number of tasks and of keys in the
	 * database.
	 * @param found takes each inconsistency
	 */
	default void check(String queue, Consumer<Inconsistency> found) {
		check(queue, null, Integer.MAX_VALUE, found);
	}

	/**
	 * Repairs an inconsistency, if it still exists.
	 * @param inconsistency what was found
	 * @return whether it was repaired; {@code false} if it no longer exists, or if a key
	 * that would have to be written has the wrong type
	 */
	boolean repair(Inconsistency inconsistency);

}
