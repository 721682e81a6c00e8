package io.asynq.server.work;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.asynq.broker.message.LeasedTask;
import io.asynq.server.fetch.TaskFetcher;

/**
 * Fills free workers, in whatever thread finds that some are free: the processor's when a
 * task arrives, a worker's own when it has nothing left to do, which saves two thread
 * switches. One thread at a time fetches; others leave it to that one, which looks again
 * when it is done. Safe for concurrent use.
 */
public final class Intake {

	/** Threads cannot sleep for less. */
	private static final long SHORTEST_GATHERING = 50_000;

	private static final long LONGEST_GATHERING = 250_000;

	private final ReentrantLock lock = new ReentrantLock();

	private final TaskFetcher fetcher;

	private final Slots slots;

	private final Consumer<List<LeasedTask>> sink;

	private final Consumer<List<LeasedTask>> returned;

	private final Runnable processor;

	private long lastFetchNanos;

	private volatile boolean open;

	/**
	 * Set after a failed fetch until the processor retries, which knows how to back off.
	 */
	private volatile boolean failing;

	/**
	 * Creates a closed intake.
	 * @param sink runs tasks, those of one queue at a time, as they arrive
	 * @param returned puts tasks back for which no worker is free any more
	 */
	public Intake(TaskFetcher fetcher, Slots slots, Consumer<List<LeasedTask>> sink,
			Consumer<List<LeasedTask>> returned, Runnable processor) {
		this.fetcher = fetcher;
		this.slots = slots;
		this.sink = sink;
		this.returned = returned;
		this.processor = processor;
	}

	void open() {
		this.failing = false;
		this.open = true;
	}

	boolean isOpen() {
		return this.open;
	}

	/**
	 * Takes no more tasks; a fetch in progress is completed.
	 */
	void close() {
		this.open = false;
	}

	/**
	 * Waits for a fetch in progress.
	 * @return whether none is in progress
	 */
	boolean awaitQuiet(Duration timeout) {
		try {
			if (!this.lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				return false;
			}
			this.lock.unlock();
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Fetches for the processor.
	 */
	void fetch() {
		// First: a worker that is turned away after the look would be forgotten
		this.failing = false;
		try {
			fetchWhileWorthwhile();
		}
		catch (Throwable ex) {
			this.failing = true;
			throw ex;
		}
	}

	/**
	 * Fetches for an idle worker. Errors are left to the processor.
	 */
	void fetchForWorker() {
		if (this.failing) {
			return;
		}
		try {
			fetchWhileWorthwhile();
		}
		catch (Throwable ex) {
			this.failing = true;
			this.processor.run();
			throw ex;
		}
	}

	/**
	 * Returns whether a worker is free and a queue may have something for it.
	 */
	boolean isWorthwhile() {
		return this.open && this.slots.offered() > 0 && this.fetcher.readiness().any();
	}

	/**
	 * Returns whether a fetch is worthwhile and no thread is fetching; a thread that is
	 * looks again afterwards.
	 */
	boolean isUnattended() {
		return isWorthwhile() && !this.lock.isLocked();
	}

	/**
	 * Returns tasks to their queues that were taken by fetches whose answers were lost.
	 */
	void giveBackLost() {
		this.fetcher.giveBackLost();
	}

	/**
	 * Marks queues that have rested.
	 * @return nanoseconds until the next one
	 */
	long markRested() {
		return this.fetcher.markRested();
	}

	boolean isAnyResting() {
		return this.fetcher.anyResting();
	}

	/**
	 * Where a round trip takes long, waits a small part of it for slots that are about to
	 * become free: tasks for a slot that misses this fetch wait for the next.
	 */
	private void gather() {
		long pause = Math.min(this.lastFetchNanos / 16, LONGEST_GATHERING);
		if (pause >= SHORTEST_GATHERING && this.slots.anyTaken()) {
			LockSupport.parkNanos(pause);
		}
	}

	private void accept(List<LeasedTask> tasks) {
		(this.open ? this.sink : this.returned).accept(tasks);
	}

	/**
	 * Accepts tasks from a cluster node that was not awaited, as far as workers are still
	 * free.
	 */
	private void acceptLate(List<LeasedTask> tasks) {
		int taken;
		this.lock.lock();
		try {
			taken = Math.min(this.open ? this.slots.offered() : 0, tasks.size());
			if (taken > 0) {
				accept(tasks.subList(0, taken));
			}
		}
		finally {
			this.lock.unlock();
		}
		// Another thread may have found the lock taken
		this.processor.run();
		if (taken < tasks.size()) {
			this.returned.accept(tasks.subList(taken, tasks.size()));
		}
	}

	private void fetchWhileWorthwhile() {
		// Looks again after unlocking: other threads may have been turned away meanwhile
		while (isWorthwhile() && this.lock.tryLock()) {
			try {
				gather();
				int free = this.slots.offered();
				if (free > 0) {
					long start = System.nanoTime();
					this.fetcher.fetch(free, this::accept, this::acceptLate);
					this.lastFetchNanos = System.nanoTime() - start;
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

}
