package io.asynq.server;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.asynq.broker.QueueTurns;

/**
 * Keeps a queue full of tasks that cannot be worked on from going round and round: each
 * one taken, postponed and forwarded costs Redis some 50 commands. A queue from which
 * tasks are postponed for a short while has a budget for what is taken: it grows slowly
 * with time, by one with each task of a postponed type that could be worked on, and fast
 * with every other one, so that tasks which wait for a token hold up the others as little
 * as possible. What time brings in is for one of all servers, whoever takes the queue's
 * turn, so that it does not grow with their number. A queue without postponed tasks has
 * no budget. Safe for concurrent use.
 */
final class PostponeBudget {

	/** What is postponed for longer does not come back soon enough to be a burden. */
	private static final Duration SHORT = Duration.ofSeconds(5);

	private static final int CAPACITY = 32;

	private static final double NANOS_PER_TASK = 2e9;

	/** A little less, so that a server alone has every turn. */
	private static final Duration TURN = Duration.ofMillis(1900);

	/**
	 * How much later at most whoever missed a turn asks for one, in tasks: those who
	 * always ask just after another would never have one.
	 */
	private static final double LONGEST_DELAY = 0.25;

	private static final int GAIN_OF_OTHERS = 8;

	private static final int MAX_TYPES = 256;

	private final LongSupplier nanoTime;

	private final QueueTurns turns;

	private volatile Consumer<String> onEarned = (queue) -> {
	};

	private final Map<String, Budget> budgets = new ConcurrentHashMap<>();

	PostponeBudget(LongSupplier nanoTime, QueueTurns turns) {
		this.nanoTime = nanoTime;
		this.turns = turns;
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
	 * Returns how many tasks may be taken from a queue, as far as this server knows.
	 * @param queue the queue
	 * @return the number, {@link Integer#MAX_VALUE} where nothing was postponed lately
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
	 * Returns how many tasks may be taken from a queue now. If only time has brought them
	 * in, it takes the queue's turn for one.
	 * @param queue the queue
	 * @return the number, 0 if another server has the turn
	 * @throws io.asynq.BrokerException if the turn cannot be asked for
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
			budget.refill();
			return budget.hasOwn() ? 0 : (long) Math.ceil((1 - budget.earned) * NANOS_PER_TASK);
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
			this.onEarned.accept(queue);
		}
	}

	private final class Budget {

		private final Set<String> types = new HashSet<>();

		/** What may be taken without a turn. */
		private int own = CAPACITY - 1;

		/** What time has brought in since the last turn that was asked for. */
		private double earned;

		private long since = PostponeBudget.this.nanoTime.getAsLong();

		synchronized void refill() {
			long now = PostponeBudget.this.nanoTime.getAsLong();
			this.earned = Math.min(CAPACITY, this.earned + (now - this.since) / NANOS_PER_TASK);
			this.since = now;
		}

		/**
		 * What time alone has brought in is no sign that nobody waits any more: this
		 * server may have had no worker free to see it.
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

		synchronized void add(int tasks) {
			// Nobody owes what was taken before the first task was postponed
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
