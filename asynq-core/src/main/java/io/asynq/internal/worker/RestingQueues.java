package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

final class RestingQueues {

	static final Duration REST = Duration.ofSeconds(1);

	private final QueueReadiness readiness;

	private final Map<String, Long> until = new ConcurrentHashMap<>();

	RestingQueues(QueueReadiness readiness) {
		this.readiness = readiness;
	}

	/** For longer than the failed call took, because other queues wait meanwhile. */
	void restAfter(String queue, long start) {
		long now = System.nanoTime();
		this.until.put(queue, now + Math.max(REST.toNanos(), 3 * (now - start)));
	}

	void rest(Collection<String> queues, Duration time) {
		long end = System.nanoTime() + time.toNanos();
		queues.forEach((queue) -> this.until.put(queue, end));
	}

	void wake(Collection<String> queues) {
		queues.forEach(this.until::remove);
	}

	boolean contains(String queue) {
		return this.until.containsKey(queue);
	}

	boolean isEmpty() {
		return this.until.isEmpty();
	}

	/**
	 * Returns nanoseconds until the next one, 0 if one was marked, {@link Long#MAX_VALUE}
	 * if none rests.
	 */
	long markRested() {
		long next = Long.MAX_VALUE;
		long now = System.nanoTime();
		for (Map.Entry<String, Long> entry : this.until.entrySet()) {
			long left = entry.getValue() - now;
			if (left <= 0) {
				this.until.remove(entry.getKey());
				this.readiness.mark(entry.getKey());
				next = 0;
			}
			else {
				next = Math.min(next, left);
			}
		}
		return next;
	}

}
