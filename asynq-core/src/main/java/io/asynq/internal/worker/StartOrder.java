package io.asynq.internal.worker;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.server.QueueWeights;

/**
 * Tasks of several queues start in turns by weight, although they were taken queue by
 * queue: a task's rank is that of the one before it in its queue, plus a step that is the
 * shorter the heavier the queue is, and the lowest rank is next; used under a lock.
 */
final class StartOrder {

	private final QueueWeights queues;

	private final boolean inTurns;

	private final Map<String, Double> last = new HashMap<>();

	/**
	 * A queue that had no tasks goes on from here: its own last rank would put it in
	 * front of all others.
	 */
	private double present;

	StartOrder(QueueWeights queues) {
		this.queues = queues;
		this.inTurns = !queues.strict() && queues.weights().size() > 1;
	}

	double rank(String queue) {
		if (!this.inTurns) {
			return 0;
		}
		double step = 1.0 / this.queues.weights().getOrDefault(queue, 1);
		double rank = Math.max(this.present, this.last.getOrDefault(queue, 0.0)) + step;
		this.last.put(queue, rank);
		return rank;
	}

	void started(double rank) {
		this.present = Math.max(this.present, rank);
	}

	/** Steps would vanish beside high ranks in months. */
	void reset() {
		this.present = 0;
		this.last.clear();
	}

	/**
	 * Ranks go on after those that remain when tasks were taken out before they started.
	 */
	void remain(Stream<Map.Entry<String, Double>> ranks) {
		this.last.clear();
		ranks.forEach((rank) -> this.last.merge(rank.getKey(), rank.getValue(), Math::max));
	}

}
