package io.asynq.reliability.check;

import java.util.Map;
import java.util.Set;

/**
 * All that Redis holds of an idle queue.
 *
 * @param containers the ids by container
 * @param tasks all task hashes by id
 * @param locks holders by the key of their lock
 * @param others names of keys that an idle queue does not have
 * @param processed the counter of attempts
 * @param failed the counter of failures
 */
record QueueView(Containers containers, Map<String, StoredTask> tasks, Map<String, String> locks, Set<String> others,
		long processed, long failed) {

	String queue() {
		return this.containers.queue();
	}

}
