package io.asynq.server.work;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.broker.message.QueueWeights;

/**
 * The order in which tasks that were taken start: those of one queue as they were taken,
 * those of several take turns by the weights of their queues, although they were taken
 * queue by queue. Each task has a mark, which is that of the task before it in its queue
 * and a step that is the shorter the heavier the queue; the least mark is next. With
 * strict priority, as they were taken. Used under a lock.
 */
final class StartOrder {

	private final QueueWeights queues;

	private final Map<String, Double> last = new HashMap<>();

	/**
	 * The mark of the task that started last. A queue whose tasks come late begins here,
	 * so that it need not be made up for what it had nothing to give to.
	 */
	private double present;

	StartOrder(QueueWeights queues) {
		this.queues = queues;
	}

	/**
	 * Returns the mark of the next task of a queue.
	 */
	double mark(String queue) {
		String line = line(queue);
		double step = 1.0 / this.queues.weights().getOrDefault(line, 1);
		double mark = Math.max(this.present, this.last.getOrDefault(line, 0.0)) + step;
		this.last.put(line, mark);
		return mark;
	}

	void started(double mark) {
		this.present = Math.max(this.present, mark);
	}

	/**
	 * Forgets tasks that were taken out before they could start: marks go on after those
	 * that remain.
	 */
	void remain(Stream<Map.Entry<String, Double>> marks) {
		this.last.clear();
		marks.forEach((mark) -> this.last.merge(line(mark.getKey()), mark.getValue(), Math::max));
	}

	private String line(String queue) {
		return this.queues.strict() ? "" : queue;
	}

}
