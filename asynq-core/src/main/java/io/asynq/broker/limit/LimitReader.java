package io.asynq.broker.limit;

import java.time.Instant;
import java.util.List;

import io.asynq.info.LimitInfo;
import io.asynq.info.LimitKeyInfo;

/**
 * Reads limits and the tasks that wait for them, for people and meters. Waiting tasks are
 * counted key by key, of the first 20,000 keys of a queue.
 */
public interface LimitReader {

	/** Lists all limits that servers have announced, by name, a thousand at most. */
	List<LimitInfo> limits();

	/**
	 * Lists keys of a limit, those with most waiting tasks first, then those that are
	 * held most.
	 * @param limit its name; one that does not exist has no keys
	 * @param max how many at most
	 */
	List<LimitKeyInfo> keys(String limit, int max);

	/**
	 * Reads since when tasks wait for limits.
	 * @return one for each queue and limit for which tasks wait, of the first thousand
	 * needs of a queue; empty if none waits anywhere
	 */
	List<Starving> starving();

	/**
	 * Tasks of a queue that wait for a limit.
	 *
	 * @param tasks how many
	 * @param since since when the first of them waits
	 */
	record Starving(String queue, String limit, long tasks, Instant since) {
	}

	/**
	 * Returns which limits a task waits for: the name of each, followed by a colon and
	 * the key if it has one. Not all of them need be taken.
	 * @return empty if the task does not wait, or does not exist
	 */
	List<String> waitsFor(String queue, String id);

}
