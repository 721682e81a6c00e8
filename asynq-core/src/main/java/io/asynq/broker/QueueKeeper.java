package io.asynq.broker;

import java.util.Map;
import java.util.function.Consumer;

import io.asynq.info.Inconsistency;
import org.jspecify.annotations.Nullable;

public interface QueueKeeper {

	/** The queue need not exist yet. */
	boolean pause(String queue);

	boolean resume(String queue);

	/**
	 * Deletes in bounded steps, scanning all keys of the database, or returns what
	 * prevents it: active tasks always, others unless forced; if it fails, the next call,
	 * the queue's servers or the next deletion of any queue continues.
	 */
	Map<String, Long> delete(String queue, boolean force);

	/** Counts tasks without a handler on any live server, of a hundred types at most. */
	Map<String, Long> unhandled(String queue);

	/**
	 * Checks about {@code limit} ids and keys without blocking Redis for long while
	 * servers keep working: each finding is checked a second time, and one that concerns
	 * several places may be found in several parts.
	 */
	@Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found);

	default void check(String queue, Consumer<Inconsistency> found) {
		check(queue, null, Integer.MAX_VALUE, found);
	}

	/**
	 * Repairs an inconsistency if it still exists, unless a key that would have to be
	 * written has the wrong type.
	 */
	boolean repair(Inconsistency inconsistency);

}
