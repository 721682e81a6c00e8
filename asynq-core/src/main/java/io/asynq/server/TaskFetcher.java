package io.asynq.server;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Dequeued;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.QueueWeights;
import io.asynq.broker.TaskDequeuer;
import io.asynq.lifecycle.LoopErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Fills idle workers from the queues that may have tasks. Used by one thread at a time;
 * arrivals may be marked by any.
 */
final class TaskFetcher {

	/** How long at least a queue is left alone that could not be asked. */
	private static final Duration REST = Duration.ofSeconds(1);

	/** Of a queue that is another server's turn: it rests like any without budget. */
	private static final Dequeued NOT_ASKED = new Dequeued(List.of(), false);

	private final TaskDequeuer dequeuer;

	private final QueueSelector selector;

	private final QueueReadiness readiness;

	private final BooleanSupplier partitioned;

	private final LoopErrorLog errors;

	/** Queues that could not be asked, with the nano time until which they rest. */
	private final Map<String, Long> resting = new ConcurrentHashMap<>();

	/** Queues from which so much was postponed that they have to wait. */
	private final Set<String> overBudget = ConcurrentHashMap.newKeySet();

	private final PostponeBudget budget;

	private volatile Runnable onRestEnded = () -> {
	};

	TaskFetcher(TaskDequeuer dequeuer, QueueWeights queues, PostponeBudget budget, BooleanSupplier partitioned,
			LoopErrorLog errors) {
		this.budget = budget;
		budget.onEarned(this::earned);
		this.dequeuer = dequeuer;
		this.selector = new QueueSelector(queues);
		this.readiness = new QueueReadiness(queues.weights().keySet());
		this.partitioned = partitioned;
		this.errors = errors;
	}

	QueueReadiness readiness() {
		return this.readiness;
	}

	/**
	 * Sets what is to happen when a queue has rested sooner than {@link #markRested()}
	 * said, because a task that was worked on has made room for another.
	 * @param action called by workers
	 */
	void onRestEnded(Runnable action) {
		this.onRestEnded = action;
	}

	/**
	 * Marks queues again that were left alone for a while, because they could not be
	 * asked or gave what had to be postponed. May be called by any thread.
	 * @return nanoseconds until there is another one to mark, 0 if one was marked,
	 * {@link Long#MAX_VALUE} if there is none
	 */
	long markRested() {
		long next = Long.MAX_VALUE;
		long now = System.nanoTime();
		for (Map.Entry<String, Long> entry : this.resting.entrySet()) {
			long left = entry.getValue() - now;
			if (left <= 0) {
				this.resting.remove(entry.getKey());
				this.readiness.mark(entry.getKey());
				next = 0;
			}
			else {
				next = Math.min(next, left);
			}
		}
		for (String queue : this.overBudget) {
			long left = this.budget.nanosUntilNext(queue);
			if (left <= 0) {
				withinBudget(queue);
				next = 0;
			}
			else {
				next = Math.min(next, left);
			}
		}
		return next;
	}

	boolean anyResting() {
		return !this.resting.isEmpty() || !this.overBudget.isEmpty();
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
		candidates.removeIf(this::isResting);
		while (idle > 0 && !candidates.isEmpty()) {
			for (Map.Entry<String, Integer> share : this.selector.share(idle, candidates).entrySet()) {
				String queue = share.getKey();
				Dequeued dequeued = dequeue(queue, share.getValue());
				if (dequeued == null) {
					candidates.remove(queue);
					continue;
				}
				this.budget.taken(queue, dequeued.tasks().size());
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
			candidates.removeIf(this::isResting);
		}
	}

	/**
	 * Leaves a queue alone for longer than it took to fail: others wait meanwhile.
	 */
	private void rest(String queue, long start) {
		long now = System.nanoTime();
		this.resting.put(queue, now + Math.max(REST.toNanos(), 3 * (now - start)));
	}

	private void earned(String queue) {
		if (withinBudget(queue)) {
			this.onRestEnded.run();
		}
	}

	private boolean withinBudget(String queue) {
		boolean rested = this.overBudget.remove(queue);
		if (rested) {
			this.readiness.mark(queue);
		}
		return rested;
	}

	/**
	 * A queue that rests is marked again when it has rested, which may be while it is
	 * cleared here: so it is cleared first, and looked at once more.
	 */
	private boolean isResting(String queue) {
		if (!this.resting.containsKey(queue) && this.budget.limit(queue) >= 1) {
			return false;
		}
		this.readiness.clear(queue);
		if (this.resting.containsKey(queue)) {
			return true;
		}
		this.overBudget.add(queue);
		if (this.budget.limit(queue) >= 1) {
			withinBudget(queue);
			return false;
		}
		return true;
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

	private @Nullable Dequeued dequeue(String queue, int idle) {
		this.readiness.clear(queue);
		long start = System.nanoTime();
		try {
			int max = Math.min(idle, this.budget.claim(queue));
			return (max > 0) ? this.dequeuer.dequeue(queue, max) : NOT_ASKED;
		}
		catch (BrokerUnavailableException ex) {
			if (!this.partitioned.getAsBoolean()) {
				this.readiness.mark(queue);
				throw ex;
			}
			this.errors.warn("asynq-processor", ex);
			rest(queue, start);
			return null;
		}
		catch (BrokerException ex) {
			// One queue that cannot be asked must not keep the others waiting, nor be
			// asked
			// again and again because it has tasks
			this.errors.warn("asynq-processor", ex);
			rest(queue, start);
			return null;
		}
	}

}
