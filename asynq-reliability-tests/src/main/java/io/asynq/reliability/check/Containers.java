package io.asynq.reliability.check;

import java.util.List;
import java.util.Map;

/**
 * Where the ids of a queue stand at one moment.
 *
 * @param queue the queue
 * @param entries what each container holds, in its order
 * @param leases what is leased
 */
record Containers(String queue, Map<Container, List<Entry>> entries, List<Entry> leases) {

	List<Entry> in(Container container) {
		return this.entries.getOrDefault(container, List.of());
	}

	/**
	 * An id in a container.
	 *
	 * @param id the id
	 * @param state what the task's hash says, empty if there is no hash, {@code ?} if it
	 * says nothing
	 * @param score the score, 0 in lists
	 */
	record Entry(String id, String state, long score) {

	}

}
