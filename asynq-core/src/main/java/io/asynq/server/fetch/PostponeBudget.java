package io.asynq.server.fetch;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.asynq.broker.QueueTurns;

/**
 * Keeps a queue full of tasks that cannot run yet from circulating: each task that is
 * taken, postponed and forwarded costs Redis some 50 commands. A queue from which tasks
 * were postponed for a short while has a budget for what is taken. The budget grows
 * slowly with time, by one with each task of a postponed type that could run, and fast
 * with every other task, so that tasks which wait for a token delay the others as little
 * as possible. What time adds is for only one of all servers, the one that takes the
 * queue's turn, so that it does not grow with their number. A queue without postponed
 * tasks has no budget. Safe for concurrent use.
 */
public final class PostponeBudget {

	/**
	 * A task that is postponed for longer does not come back soon enough to be a burden.
	 */
	private static final Duration SHORT = Duration.ofSeconds(5);

	private static final int CAPACITY = 32;

	private static final double NANOS_PER_TASK = 2e9;

	/** A little less than that, so that a single server gets every turn. */
	private static final Duration TURN = Duration.ofMillis(1900);

	/**
	 * The longest random delay, in tasks, after a missed turn: a server that always asks
	 * just after another one would never get a turn.
	 */
	private static final double LONGEST_DELAY = 0.25;

	private static final int GAIN_OF_OTHERS = 8;

	private static final int MAX_TYPES = 256;

	private final LongSupplier nanoTime;

	private final QueueTurns turns;

	private final QueueReadiness readiness;

	private final Runnable processor;

	/** Queues that should be asked but have to wait. */
	private final Set<String> waiting = ConcurrentHashMap.newKeySet();

	private final Map<String, Budget> budgets = new ConcurrentHashMap<>();

	/**
	 * @param readiness where a queue is marked that need not wait any longer
	 * @param processor wakes the processor; called by workers when a finished task has
	 * earned enough to take another one
	 */
	public PostponeBudget(LongSupplier nanoTime, QueueTurns turns, QueueReadiness readiness, Runnable processor) {
		this.nanoTime = nanoTime;
		this.turns = turns;
		this.readiness = readiness;
		this.processor = processor;
	}

	/**
	 * Returns how many tasks may be taken from a queue as far as this server knows,
	 * {@link Integer#MAX_VALUE} if none were postponed lately.
	 */
	int limit(String queue) {
		Budget budget = this.budgets.get(queue);
		if (budget == null) {
			return Integer.MAX_VALUE;
		}
		synchronized (budget) {
			budget.refill();
			if (!budget.isFull()) {
				return budget.sum();
			}
		}
		this.budgets.remove(queue, budget);
		return Integer.MAX_VALUE;
	}

	/**
	 * Returns how many tasks may be taken from a queue now. If only time has added to the
	 * budget, this takes the queue's turn.
	 * @return the number, 0 if another server has the turn
	 * @throws io.asynq.BrokerException if Redis cannot be asked for the turn
	 */
	int claim(String queue) {
		int limit = limit(queue);
		Budget budget = this.budgets.get(queue);
		if (budget == null || limit == 0) {
			return limit;
		}
		if (!budget.hasOwn()) {
			budget.turn(this.turns.take(queue, TURN));
		}
		return budget.own();
	}

	/**
	 * Returns in how many nanoseconds, at most, a task may be taken from a queue; 0 or
	 * less if one may be taken now.
	 */
	long nanosUntilNext(String queue) {
		Budget budget = this.budgets.get(queue);
		if (budget == null) {
			return 0;
		}
		synchronized (budget) {
			budget.refill();
			return budget.hasOwn() ? 0 : (long) Math.ceil((1 - budget.earned) * NANOS_PER_TASK);
		}
	}

	/**
	 * Called when tasks were taken.
	 */
	public void taken(String queue, int count) {
		Budget budget = this.budgets.get(queue);
		if (budget != null) {
			budget.add(-count);
		}
	}

	/**
	 * Called when a task was postponed.
	 */
	public void postponed(String queue, String type, Duration delay) {
		if (delay.compareTo(SHORT) <= 0) {
			this.budgets.computeIfAbsent(queue, (name) -> new Budget()).addType(type);
		}
	}

	/**
	 * Called when a task has run.
	 */
	public void worked(String queue, String type) {
		Budget budget = this.budgets.get(queue);
		if (budget != null) {
			budget.add(budget.hasType(type) ? 1 : GAIN_OF_OTHERS);
			if (markIfWaiting(queue)) {
				this.processor.run();
			}
		}
	}

	/**
	 * Makes a queue without budget wait until it is marked again. The budget may grow
	 * while the queue is cleared, so the queue must be cleared first and is checked once
	 * more here.
	 * @return whether the queue waits
	 */
	boolean await(String queue) {
		this.waiting.add(queue);
		if (limit(queue) >= 1) {
			markIfWaiting(queue);
			return false;
		}
		return true;
	}

	boolean isAnyWaiting() {
		return !this.waiting.isEmpty();
	}

	/**
	 * Marks waiting queues that have a budget by now.
	 * @return nanoseconds until the next one, 0 if one was marked, {@link Long#MAX_VALUE}
	 * if none waits
	 */
	long markAffordable() {
		long next = Long.MAX_VALUE;
		for (String queue : this.waiting) {
			long left = nanosUntilNext(queue);
			if (left <= 0) {
				markIfWaiting(queue);
				next = 0;
			}
			else {
				next = Math.min(next, left);
			}
		}
		return next;
	}

	private boolean markIfWaiting(String queue) {
		boolean waited = this.waiting.remove(queue);
		if (waited) {
			this.readiness.mark(queue);
		}
		return waited;
	}

	private final class Budget {

		private final Set<String> types = new HashSet<>();

		/** How much may be taken without a turn. */
		private int own = CAPACITY - 1;

		/** What time has added since the last turn that was asked for. */
		private double earned;

		private long since = PostponeBudget.this.nanoTime.getAsLong();

		synchronized void refill() {
			long now = PostponeBudget.this.nanoTime.getAsLong();
			this.earned = Math.min(CAPACITY, this.earned + (now - this.since) / NANOS_PER_TASK);
			this.since = now;
		}

		/**
		 * Time alone does not show that no task waits any more: this server may have had
		 * no free worker to find out.
		 */
		synchronized boolean isFull() {
			return hasOwn() && this.own + this.earned >= CAPACITY;
		}

		synchronized int sum() {
			return (int) Math.max(0, Math.min(CAPACITY, this.own + this.earned));
		}

		synchronized boolean hasOwn() {
			return this.own >= 1;
		}

		synchronized int own() {
			return this.own;
		}

		synchronized void turn(boolean taken) {
			add(taken ? 1 : 0);
			this.earned = taken ? 0 : -ThreadLocalRandom.current().nextDouble(LONGEST_DELAY);
		}

		public synchronized void add(int tasks) {
			// Tasks taken before the first postponement must not count
			this.own = Math.max(0, Math.min(CAPACITY, this.own + tasks));
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
