package io.asynq.reliability.check;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The ids of a queue at one moment. */
record Containers(String queue, Map<Container, List<Entry>> entries, List<Entry> leases) {

	List<Entry> in(Container container) {
		return this.entries.getOrDefault(container, List.of());
	}

	void forEach(BiConsumer<Container, Entry> action) {
		for (Container container : Container.values()) {
			in(container).forEach((entry) -> action.accept(container, entry));
		}
	}

	/** An id in a container. */
	record Entry(String id, String state, long score) {

	}

}
