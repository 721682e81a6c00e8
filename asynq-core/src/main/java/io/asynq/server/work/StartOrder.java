package io.asynq.server.work;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.broker.message.QueueWeights;

/**
 * The order in which tasks that were taken start: tasks of one queue as they were taken,
 * tasks of several in turns by the weights of their queues, although they were taken
 * queue by queue. Each task has a mark: that of the task before it in its queue, plus a
 * step that is the shorter the heavier the queue is. The smallest mark is next. With
 * strict priority, tasks start as they were taken. Used under a lock.
 */
final class StartOrder {

	private final QueueWeights queues;

	private final Map<String, Double> last = new HashMap<>();

	/**
	 * The mark of the task that started last. A queue that had no tasks goes on from
	 * here, and not from its own last mark, which would put it in front of all others.
	 */
	private double present;

	StartOrder(QueueWeights queues) {
		this.queues = queues;
	}

	/**
	 * Returns the mark of the next task of a queue.
	 */
	double mark(String queue) {
		String inTurns = inTurns(queue);
		double step = 1.0 / this.queues.weights().getOrDefault(inTurns, 1);
		double mark = Math.max(this.present, this.last.getOrDefault(inTurns, 0.0)) + step;
		this.last.put(inTurns, mark);
		return mark;
	}

	/**
	 * Notes that a task has started.
	 * @param last whether no other is left
	 */
	void started(double mark, boolean last) {
		this.present = last ? 0 : Math.max(this.present, mark);
		if (last) {
			// Marks begin anew, so that steps do not vanish beside them in months
			this.last.clear();
		}
	}

	/**
	 * Forgets tasks that were taken out before they could start: marks go on after those
	 * that remain.
	 */
	void remain(Stream<Map.Entry<String, Double>> marks) {
		this.last.clear();
		marks.forEach((mark) -> this.last.merge(inTurns(mark.getKey()), mark.getValue(), Math::max));
	}

	/**
	 * Returns the queue, or with strict priority one name for all.
	 */
	private String inTurns(String queue) {
		return this.queues.strict() ? "" : queue;
	}

}
