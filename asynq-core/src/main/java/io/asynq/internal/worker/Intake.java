package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Whatever thread finds free workers fetches for them, a worker's own as well, which
 * saves two thread switches; one at a time does, and it looks again for the others.
 */
public final class Intake {

	/** Threads cannot sleep for less. */
	private static final long SHORTEST_GATHERING = 50_000;

	private static final long LONGEST_GATHERING = 250_000;

	private static final long LONGEST_WAIT = 50_000_000;

	/**
	 * How long nothing must have started, so that a pause of the machine is none of it.
	 */
	private static final long STANDSTILL = 10_000_000;

	/** After so many a thread stops, since queues that ran empty are to be watched. */
	private static final int MOST_FETCHES = 8;

	/** For how long nothing is fetched ahead after that has done no good. */
	private static final long REST = 1_000_000_000;

	private final ReentrantLock lock = new ReentrantLock();

	private final TaskFetcher fetcher;

	private final Slots slots;

	private final PrefetchBuffer buffer;

	private final TaskFlow flow;

	private final Sink sink;

	private final Runnable processor;

	private long lastFetchNanos;

	private volatile FetchAhead ahead = FetchAhead.NONE;

	/** A fetch ahead was given nothing: what is next must find an idle worker. */
	private volatile boolean stalled;

	/** What had started when tasks were first found overdue, for the processor. */
	private long startedBefore = -1;

	private volatile long restUntil = System.nanoTime();

	private volatile boolean open;

	/**
	 * Set after a failed fetch until the processor retries, which knows how to back off.
	 */
	private volatile boolean failing;

	public Intake(TaskFetcher fetcher, Slots slots, PrefetchBuffer buffer, TaskFlow flow, Sink sink,
			Runnable processor) {
		this.fetcher = fetcher;
		this.slots = slots;
		this.buffer = buffer;
		this.flow = flow;
		this.sink = sink;
		this.processor = processor;
	}

	void open() {
		this.failing = false;
		this.buffer.open();
		this.open = true;
	}

	boolean isOpen() {
		return this.open;
	}

	/** A fetch in progress is completed. */
	void close() {
		this.open = false;
		this.buffer.close();
	}

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

	boolean fetch() {
		// First: a worker that is turned away after the look would be forgotten
		this.failing = false;
		try {
			return fetchWhile(() -> isWorthwhile() || isBufferLow());
		}
		catch (Throwable ex) {
			this.failing = true;
			throw ex;
		}
	}

	/** Leaves errors to the processor. */
	boolean fetchForWorker() {
		if (this.failing) {
			return false;
		}
		boolean leftOff;
		try {
			leftOff = fetchWhile(this::isWorthwhile);
		}
		catch (Throwable ex) {
			this.failing = true;
			this.processor.run();
			throw ex;
		}
		if (isBufferLow() || !this.buffer.isEmpty()) {
			// It fetches more, or puts back what waits for too long
			this.processor.run();
		}
		return leftOff;
	}

	void putBackBuffered() {
		putBack((task) -> true);
	}

	/**
	 * Another server may have an idle worker: puts all back if the next one has waited
	 * for longer than round trips explain, and nothing starts any more or it has waited
	 * for several times that.
	 */
	long putBackOverdue() {
		Long since = this.buffer.since();
		if (since == null) {
			return Long.MAX_VALUE;
		}
		long longest = LONGEST_WAIT + 2 * this.flow.roundTrip().toNanos();
		long waited = System.nanoTime() - since;
		if (waited < longest) {
			this.startedBefore = -1;
			return longest - waited;
		}
		long started = this.buffer.started();
		if (waited < 4 * longest && started != this.startedBefore) {
			this.startedBefore = started;
			return STANDSTILL;
		}
		rest();
		putBackBuffered();
		return Long.MAX_VALUE;
	}

	boolean isWorthwhile() {
		return this.open && this.slots.offered() > 0 && this.fetcher.readiness().any();
	}

	/** A thread that is fetching looks again afterwards. */
	boolean isUnattended() {
		return isWorthwhile() && !this.lock.isLocked();
	}

	/** Tasks for a slot that misses this fetch wait for the next. */
	private void gather() {
		long pause = Math.min(this.lastFetchNanos / 16, LONGEST_GATHERING);
		if (pause >= SHORTEST_GATHERING && this.slots.anyTaken()) {
			LockSupport.parkNanos(pause);
		}
	}

	private void accept(List<LeasedTask> tasks) {
		if (tasks.stream().anyMatch((task) -> task.ahead() && task.isLastAttempt())) {
			// Their beginnings are recorded, which costs a call each
			rest();
		}
		if (this.open) {
			this.sink.run(tasks);
		}
		else {
			this.sink.putBack(tasks);
		}
	}

	private void rest() {
		this.restUntil = System.nanoTime() + REST;
	}

	private void putBack(Predicate<LeasedTask> condition) {
		List<LeasedTask> taken = this.buffer.takeIf(condition);
		if (!taken.isEmpty()) {
			this.sink.putBack(taken);
		}
	}

	private boolean isBufferLow() {
		return this.open && missing() > 0 && this.fetcher.readiness().any();
	}

	private int missing() {
		int missing = (this.stalled || !this.flow.mayFetchAhead()) ? 0 : this.ahead.tasks(this.buffer.size());
		return (missing == 0 || System.nanoTime() - this.restUntil < 0 || this.buffer.isFull()) ? 0 : missing;
	}

	/**
	 * Tasks of a node that was not awaited are put back unless workers are still free.
	 */
	void acceptLate(List<LeasedTask> tasks) {
		int taken = 0;
		this.lock.lock();
		try {
			taken = Math.min(this.open ? this.slots.offered() : 0, tasks.size());
			if (taken > 0) {
				accept(tasks.subList(0, taken));
			}
		}
		finally {
			this.lock.unlock();
			// Another thread may have found the lock taken
			this.processor.run();
			if (taken < tasks.size()) {
				this.sink.putBack(tasks.subList(taken, tasks.size()));
			}
		}
	}

	/** Returns whether it has left off, and is to be called again at once. */
	private boolean fetchWhile(BooleanSupplier worthwhile) {
		for (int i = 0; i < MOST_FETCHES; i++) {
			// Also after unlocking: other threads may have been turned away meanwhile
			if (!worthwhile.getAsBoolean() || !this.lock.tryLock()) {
				return false;
			}
			try {
				int missing = missing();
				if (missing == 0) {
					gather();
				}
				// Slots that are free while tasks are buffered are about to be taken
				int idle = this.buffer.isEmpty() ? this.slots.offered() : 0;
				if (idle + missing > 0) {
					fetch(idle, missing);
				}
				else if (!this.buffer.isEmpty()) {
					// All workers may have become idle while nothing might start
					this.sink.run(List.of());
				}
			}
			finally {
				this.lock.unlock();
			}
		}
		return true;
	}

	private void fetch(int idle, int missing) {
		long start = System.nanoTime();
		long measured = this.flow.fetching();
		this.buffer.takeReturned().forEach(this.fetcher::returned);
		int taken = this.fetcher.fetch(idle, missing, this::accept, this::acceptLate);
		this.lastFetchNanos = System.nanoTime() - start;
		this.flow.fetched(measured);
		this.stalled = idle == 0 && taken == 0;
		this.ahead = this.flow.ahead(this.fetcher.backlog());
		this.buffer.awaitBelow(this.stalled ? 0 : this.ahead.mark());
		if (!this.buffer.isEmpty() && !this.fetcher.paused().isEmpty()) {
			putBack((task) -> this.fetcher.paused().contains(task.message().queue()));
		}
	}

	public interface Sink {

		void run(List<LeasedTask> tasks);

		/** Keeps the order, the next one first. */
		void putBack(List<LeasedTask> tasks);

	}

}
