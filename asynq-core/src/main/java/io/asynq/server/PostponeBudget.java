package io.asynq.server;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Keeps a queue full of tasks that cannot be worked on from going round and round: each
 * one taken, postponed and forwarded costs Redis some 50 commands. A queue from which
 * tasks are postponed for a short while has a budget for what is taken: it grows slowly
 * with time, by one with each task of a postponed type that could be worked on, and fast
 * with every other one, so that tasks which wait for a token hold up the others as little
 * as possible. A queue without postponed tasks has none. Safe for concurrent use.
 */
final class PostponeBudget {

	/** What is postponed for longer does not come back soon enough to be a burden. */
	private static final Duration SHORT = Duration.ofSeconds(5);

	private static final int CAPACITY = 32;

	private static final double NANOS_PER_TASK = 2e9;

	private static final int GAIN_OF_OTHERS = 8;

	private static final int MAX_TYPES = 256;

	private final LongSupplier nanoTime;

	private volatile Consumer<String> onEarned = (queue) -> {
	};

	private final Map<String, Budget> budgets = new ConcurrentHashMap<>();

	PostponeBudget(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Sets what is to be told when a task that was worked on has brought in what another
	 * one may cost.
	 * @param listener takes the queue; called by workers
	 */
	void onEarned(Consumer<String> listener) {
		this.onEarned = listener;
	}

	/**
	 * Returns how many tasks may be taken from a queue.
	 * @param queue the queue
	 * @return the number, {@link Integer#MAX_VALUE} where nothing was postponed lately
	 */
	int limit(String queue) {
		Budget budget = this.budgets.get(queue);
		if (budget == null) {
			return Integer.MAX_VALUE;
		}
		synchronized (budget) {
			double left = budget.refill();
			if (left < CAPACITY) {
				return (int) Math.max(0, left);
			}
		}
		this.budgets.remove(queue, budget);
		return Integer.MAX_VALUE;
	}

	/**
	 * Returns how long it takes at most until a task may be taken from a queue.
	 * @param queue the queue
	 * @return nanoseconds, 0 or less if one may be taken now
	 */
	long nanosUntilNext(String queue) {
		Budget budget = this.budgets.get(queue);
		if (budget == null) {
			return 0;
		}
		synchronized (budget) {
			return (long) Math.ceil((1 - budget.refill()) * NANOS_PER_TASK);
		}
	}

	/**
	 * Says that tasks were taken.
	 * @param queue their queue
	 * @param count how many
	 */
	void taken(String queue, int count) {
		Budget budget = this.budgets.get(queue);
		if (budget != null) {
			budget.add(-count);
		}
	}

	/**
	 * Says that a task was postponed.
	 * @param queue its queue
	 * @param type its type
	 * @param delay for how long
	 */
	void postponed(String queue, String type, Duration delay) {
		if (delay.compareTo(SHORT) <= 0) {
			this.budgets.computeIfAbsent(queue, (name) -> new Budget()).addType(type);
		}
	}

	/**
	 * Says that a task was worked on.
	 * @param queue its queue
	 * @param type its type
	 */
	void worked(String queue, String type) {
		Budget budget = this.budgets.get(queue);
		if (budget != null) {
			budget.add(budget.hasType(type) ? 1 : GAIN_OF_OTHERS);
			if (budget.refill() >= 1) {
				this.onEarned.accept(queue);
			}
		}
	}

	private final class Budget {

		private final Set<String> types = new HashSet<>();

		private double left = CAPACITY - 1;

		private long since = PostponeBudget.this.nanoTime.getAsLong();

		synchronized double refill() {
			long now = PostponeBudget.this.nanoTime.getAsLong();
			add((now - this.since) / NANOS_PER_TASK);
			this.since = now;
			return this.left;
		}

		synchronized void add(double tasks) {
			// Nobody owes what was taken before the first task was postponed
			this.left = Math.max(0, Math.min(CAPACITY, this.left + tasks));
		}

		synchronized void addType(String type) {
			if (this.types.size() < MAX_TYPES) {
				this.types.add(type);
			}
		}

		synchronized boolean hasType(String type) {
			return this.types.contains(type);
		}

	}

}
