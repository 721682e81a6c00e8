package io.asynq.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Which queues may have something to give. A queue is marked when something may have
 * arrived and cleared just before it is asked, so no arrival is missed in between. Safe
 * for concurrent use.
 */
final class QueueReadiness {

	private final Map<String, AtomicBoolean> ready;

	QueueReadiness(Collection<String> queues) {
		this.ready = queues.stream()
			.collect(Collectors.toMap((queue) -> queue, (queue) -> new AtomicBoolean(), (a, b) -> a,
					ConcurrentHashMap::new));
	}

	/**
	 * Marks a queue.
	 * @param queue the queue; an unknown one is ignored
	 * @return whether that is news
	 */
	boolean mark(String queue) {
		AtomicBoolean flag = this.ready.get(queue);
		return flag != null && !flag.getAndSet(true);
	}

	void markAll() {
		this.ready.values().forEach((flag) -> flag.set(true));
	}

	void clear(String queue) {
		this.ready.get(queue).set(false);
	}

	boolean any() {
		for (AtomicBoolean flag : this.ready.values()) {
			if (flag.get()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Lists the marked queues.
	 * @return their names, in no order
	 */
	List<String> marked() {
		List<String> marked = new ArrayList<>();
		this.ready.forEach((queue, flag) -> {
			if (flag.get()) {
				marked.add(queue);
			}
		});
		return marked;
	}

}
