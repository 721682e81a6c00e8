package io.asynq.reliability.check;

import java.util.Map;
import java.util.Set;

/**
 * All that Redis holds of a queue when nothing moves any more.
 *
 * @param containers where ids stand
 * @param tasks all task hashes by id
 * @param locks holders by the key of their lock
 * @param others names of keys that a queue at rest does not have
 * @param processed the counter of attempts
 * @param failed the counter of failures
 */
record QueueView(Containers containers, Map<String, StoredTask> tasks, Map<String, String> locks, Set<String> others,
		long processed, long failed) {

	String queue() {
		return this.containers.queue();
	}

}
