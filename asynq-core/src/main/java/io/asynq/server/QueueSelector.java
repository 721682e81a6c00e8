package io.asynq.server;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.broker.QueueWeights;

/**
 * Shares idle workers out over queues (asynq F08, F09). Weighted: a queue earns credit by
 * its weight while it has tasks and pays for what it gets, over all fetches, so shares
 * are exact in the long run whatever the size of a fetch. Strict: everything to the
 * heaviest. Used by one thread at a time.
 */
final class QueueSelector {

	private final Map<String, Integer> weights;

	private final boolean strict;

	private final Map<String, Long> credit = new HashMap<>();

	QueueSelector(QueueWeights queues) {
		this.weights = queues.weights();
		this.strict = queues.strict();
		// Servers that start together should not all begin with the same queue
		this.weights.forEach((queue, weight) -> this.credit.put(queue, ThreadLocalRandom.current().nextLong(weight)));
	}

	/**
	 * Shares out.
	 * @param workers how many idle workers there are
	 * @param candidates queues that may have tasks, at least one
	 * @return workers by queue, each at least 1
	 */
	Map<String, Integer> share(int workers, Collection<String> candidates) {
		if (this.strict || candidates.size() == 1) {
			return Map.of(heaviest(candidates), workers);
		}
		long total = candidates.stream().mapToLong(this.weights::get).sum();
		Map<String, Integer> shares = new LinkedHashMap<>();
		for (int i = 0; i < workers; i++) {
			shares.merge(next(candidates, total), 1, Integer::sum);
		}
		return shares;
	}

	/**
	 * Takes the credit of a queue that had less to give than its share: it must not save
	 * up while it is empty.
	 * @param queue the queue
	 */
	void exhausted(String queue) {
		this.credit.put(queue, 0L);
	}

	private String next(Collection<String> candidates, long total) {
		String richest = "";
		long most = Long.MIN_VALUE;
		for (String queue : candidates) {
			long earned = this.credit.merge(queue, (long) this.weights.get(queue), Long::sum);
			if (earned > most) {
				most = earned;
				richest = queue;
			}
		}
		this.credit.merge(richest, -total, Long::sum);
		return richest;
	}

	private String heaviest(Collection<String> candidates) {
		return List.copyOf(candidates)
			.stream()
			.max((a, b) -> Integer.compare(this.weights.get(a), this.weights.get(b)))
			.orElseThrow();
	}

}
