package io.asynq.reliability.check;

import java.util.List;
import java.util.Map;

/**
 * The ids of a queue at one moment.
 *
 * @param queue the queue
 * @param entries the content of each container, in its order
 * @param leases the leased ids
 */
record Containers(String queue, Map<Container, List<Entry>> entries, List<Entry> leases) {

	List<Entry> in(Container container) {
		return this.entries.getOrDefault(container, List.of());
	}

	/**
	 * An id in a container.
	 *
	 * @param id the id
	 * @param state the state in the hash of the task, empty without a hash, {@code ?}
	 * without a state
	 * @param score the score, 0 in lists
	 */
	record Entry(String id, String state, long score) {

	}

}
