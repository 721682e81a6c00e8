package io.asynq.reliability.check;

import java.util.Map;
import java.util.Set;

/** All that Redis holds of an idle queue. */
record QueueView(Containers containers, Map<String, StoredTask> tasks, Map<String, String> locks, Set<String> others,
		long processed, long failed) {

	String queue() {
		return this.containers.queue();
	}

	long size(Container container) {
		return this.containers.in(container).size();
	}

}
