package io.asynq.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.asynq.broker.LeasedTask;

/**
 * Fills free workers, in whatever thread finds that there are some: the processor's when
 * something arrives, a worker's own when it has nothing left to do, which spares two
 * changes of thread. One thread at a time fetches; whoever comes meanwhile leaves it to
 * that one, which looks again when it is done. Safe for concurrent use.
 */
final class Intake {

	/** No thread sleeps shorter. */
	private static final long SHORTEST_GATHERING = Duration.ofNanos(50_000).toNanos();

	private static final long LONGEST_GATHERING = Duration.ofNanos(250_000).toNanos();

	private final ReentrantLock lock = new ReentrantLock();

	private final TaskFetcher fetcher;

	private final Slots slots;

	private final BiConsumer<String, List<LeasedTask>> sink;

	private final Consumer<List<LeasedTask>> returned;

	private final Runnable processor;

	private long lastFetchNanos;

	private volatile boolean open;

	/**
	 * Since a fetch has failed, until the processor tries again: it knows how to pause.
	 */
	private volatile boolean failing;

	/**
	 * Creates the intake, closed.
	 * @param fetcher asks the queues
	 * @param slots says how many tasks may be fetched
	 * @param sink takes the tasks, by queue, as they come
	 * @param returned puts tasks back for which no worker is free any more
	 * @param processor has the processor look
	 */
	Intake(TaskFetcher fetcher, Slots slots, BiConsumer<String, List<LeasedTask>> sink,
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
	 * Takes no more tasks; a fetch in progress ends by itself.
	 */
	void close() {
		this.open = false;
	}

	/**
	 * Waits for the end of a fetch in progress.
	 * @param timeout how long at most
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
		// Before it looks: a worker that is turned away later would be forgotten
		this.failing = false;
		boolean done = false;
		try {
			fetchWhileWorthwhile();
			done = true;
		}
		finally {
			this.failing = this.failing || !done;
		}
	}

	/**
	 * Fetches for a worker that has nothing to do. What fails is left to the processor.
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
	 * @return whether to fetch
	 */
	boolean isWorthwhile() {
		return this.open && this.slots.offered() > 0 && this.fetcher.readiness().any();
	}

	/**
	 * Returns whether to fetch, and nobody does: whoever fetches looks again afterwards.
	 * @return whether somebody ought to come
	 */
	boolean isUnattended() {
		return isWorthwhile() && !this.lock.isLocked();
	}

	/**
	 * Where a round trip takes long, lets slots gather for a small part of it that are
	 * about to become free: what misses this fetch waits for the next.
	 */
	private void gather() {
		long pause = Math.min(this.lastFetchNanos / 16, LONGEST_GATHERING);
		if (pause >= SHORTEST_GATHERING && this.slots.anyTaken()) {
			LockSupport.parkNanos(pause);
		}
	}

	/**
	 * Takes what a node of a cluster gave that was not waited for. Workers that have been
	 * filled meanwhile get none of it.
	 */
	private void acceptLate(String queue, List<LeasedTask> tasks) {
		int taken;
		this.lock.lock();
		try {
			taken = Math.min(this.open ? this.slots.offered() : 0, tasks.size());
			if (taken > 0) {
				this.sink.accept(queue, tasks.subList(0, taken));
			}
		}
		finally {
			this.lock.unlock();
		}
		// Who came meanwhile found the lock taken
		this.processor.run();
		if (taken < tasks.size()) {
			this.returned.accept(tasks.subList(taken, tasks.size()));
		}
	}

	private void fetchWhileWorthwhile() {
		// Looks again after the lock is given back: others may have come in vain
		// meanwhile
		while (isWorthwhile() && this.lock.tryLock()) {
			try {
				gather();
				int free = this.slots.offered();
				if (free > 0) {
					long start = System.nanoTime();
					this.fetcher.fetch(free, this.sink, this::acceptLate);
					this.lastFetchNanos = System.nanoTime() - start;
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

}
