package io.asynq.internal.inspect;

import java.util.Map;
import java.util.function.Consumer;

import io.asynq.inspect.Inconsistency;
import org.jspecify.annotations.Nullable;

public interface QueueKeeper {

	/** The queue need not exist yet. */
	boolean pause(String queue);

	boolean resume(String queue);

	/**
	 * Returns the tasks that prevent it, as active ones always do; a deletion that fails
	 * is continued by the next one of any queue, or by the queue's servers.
	 */
	Map<String, Long> delete(String queue, boolean force);

	/** Counts tasks without a handler on any live server, of a hundred types at most. */
	Map<String, Long> unhandled(String queue);

	/**
	 * Servers may keep working, as each finding is checked twice; one that concerns
	 * several places may be found in several parts.
	 */
	@Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found);

	default void check(String queue, Consumer<Inconsistency> found) {
		check(queue, null, Integer.MAX_VALUE, found);
	}

	/** Does nothing if it no longer exists, or a key to be written has the wrong type. */
	boolean repair(Inconsistency inconsistency);

}
