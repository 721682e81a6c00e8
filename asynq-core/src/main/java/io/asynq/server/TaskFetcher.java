package io.asynq.server;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Dequeued;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.QueueWeights;
import io.asynq.broker.TaskDequeuer;
import io.asynq.lifecycle.LoopErrorLog;

/**
 * Fills idle workers from the queues that may have tasks. Used by one thread at a time;
 * arrivals may be marked by any.
 */
final class TaskFetcher {

	private final TaskDequeuer dequeuer;

	private final QueueSelector selector;

	private final QueueReadiness readiness;

	private final LoopErrorLog errors;

	TaskFetcher(TaskDequeuer dequeuer, QueueWeights queues, LoopErrorLog errors) {
		this.dequeuer = dequeuer;
		this.selector = new QueueSelector(queues);
		this.readiness = new QueueReadiness(queues.weights().keySet());
		this.errors = errors;
	}

	QueueReadiness readiness() {
		return this.readiness;
	}

	/**
	 * Takes as many tasks as there are idle workers, or all there are. What an empty or
	 * paused queue leaves goes to the others.
	 * @param workers how many idle workers there are
	 * @param sink takes the tasks, by queue, as they come
	 */
	void fetch(int workers, BiConsumer<String, List<LeasedTask>> sink) {
		int idle = workers;
		Collection<String> candidates = this.readiness.marked();
		while (idle > 0 && !candidates.isEmpty()) {
			for (Map.Entry<String, Integer> share : this.selector.share(idle, candidates).entrySet()) {
				String queue = share.getKey();
				Dequeued dequeued = dequeue(queue, share.getValue());
				accept(sink, queue, dequeued.tasks());
				idle -= dequeued.tasks().size();
				if (dequeued.exhausted()) {
					candidates.remove(queue);
					this.selector.exhausted(queue);
					this.readiness.exhausted(queue);
				}
				else {
					this.readiness.mark(queue);
				}
			}
		}
	}

	private void accept(BiConsumer<String, List<LeasedTask>> sink, String queue, List<LeasedTask> tasks) {
		boolean accepted = false;
		try {
			sink.accept(queue, tasks);
			accepted = true;
		}
		finally {
			if (!accepted) {
				// What was not taken went back
				this.readiness.mark(queue);
			}
		}
	}

	private Dequeued dequeue(String queue, int max) {
		this.readiness.clear(queue);
		try {
			return this.dequeuer.dequeue(queue, max);
		}
		catch (BrokerUnavailableException ex) {
			this.readiness.mark(queue);
			throw ex;
		}
		catch (BrokerException ex) {
			// One queue whose keys make no sense must not keep the others waiting
			this.errors.warn("asynq-processor", ex);
			return new Dequeued(List.of(), true);
		}
	}

}
