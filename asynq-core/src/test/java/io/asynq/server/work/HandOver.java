package io.asynq.server.work;

import java.util.ArrayList;
import java.util.List;

import io.asynq.BrokerUnavailableException;
import io.asynq.broker.message.Dequeued;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.TaskMessage;
import io.asynq.server.fetch.QueueReadiness;
import io.asynq.server.fetch.TaskFetcher;
import io.asynq.server.fetch.TestFetchers;
import io.asynq.test.interleaving.Interleaving;
import io.asynq.test.interleaving.StepThread;

/**
 * A scenario of the hand-over from arrivals to workers: the real parts, and around them
 * as little of {@link Processor}, {@link Workers} and Redis as they need. It ends when
 * two tasks run at the same time; if a wake-up is lost it never does.
 */
class HandOver implements Runnable, WorkerThreads.Source {

	private static final String QUEUE = "default";

	private static final String PROCESSOR = "processor";

	private final Slots slots;

	private final TaskFetcher fetcher;

	private final Intake intake;

	private final WorkerPool pool;

	private final boolean pooled;

	private int pending;

	private boolean watched;

	private boolean woken;

	private int running;

	private boolean stopped;

	HandOver(boolean pooled) {
		this.pooled = pooled;
		this.slots = new Slots(2, this::wake);
		this.fetcher = TestFetchers.of(QUEUE, this::dequeue);
		this.intake = new Intake(this.fetcher, this.slots, this::start, (tasks) -> {
		}, this::wake);
		this.pool = new WorkerPool(2, this.slots::started);
	}

	@Override
	public void run() {
		this.pool.start(this);
		this.intake.open();
		new StepThread(this::process, PROCESSOR).start();
		arrive();
		Interleaving.await(() -> this.running == 2);
		Interleaving.over();
		this.stopped = true;
		this.pool.stop();
	}

	/** Two tasks, one after the other. */
	void arrive() {
		enqueue();
		enqueue();
	}

	void arriveSpaced() {
		enqueue();
		Interleaving.await(() -> this.pending == 0);
		enqueue();
	}

	void enqueue() {
		Interleaving.step();
		this.pending++;
		if (this.watched) {
			this.watched = false;
			if (this.fetcher.readiness().mark(QUEUE)) {
				wake();
			}
		}
	}

	Dequeued dequeue(String queue, int max) {
		Interleaving.step();
		List<LeasedTask> tasks = new ArrayList<>();
		while (tasks.size() < max && this.pending > 0) {
			this.pending--;
			TaskMessage message = TaskMessage.builder("type", "id", QUEUE).build();
			tasks.add(new LeasedTask(message, new Lease(QUEUE, "id", "", Long.MAX_VALUE)));
		}
		return new Dequeued(tasks, tasks.size() < max);
	}

	/** Runs a handler, then ends its attempt. */
	void handle() {
		this.running++;
		Interleaving.await(() -> this.running == 2);
		release();
	}

	void release() {
		this.slots.release();
		if (this.pooled) {
			this.pool.freed();
		}
	}

	boolean isProcessor() {
		return Thread.currentThread().getName().equals(PROCESSOR);
	}

	private void start(List<LeasedTask> tasks) {
		for (int i = 0; i < tasks.size(); i++) {
			this.slots.take();
			if (this.pooled) {
				this.pool.execute(this::handle);
			}
			else {
				new StepThread(this::handleInThreadOfItsOwn, "virtual").start();
			}
		}
	}

	private void handleInThreadOfItsOwn() {
		this.slots.started();
		handle();
	}

	private void process() {
		while (!this.stopped) {
			this.woken = false;
			if (!processOnce()) {
				Interleaving.await(() -> this.woken || this.stopped);
			}
		}
	}

	/**
	 * Performs one round of the processor.
	 * @return whether to repeat it at once
	 */
	private boolean processOnce() {
		try {
			this.intake.fetch();
		}
		catch (BrokerUnavailableException ex) {
			return true;
		}
		QueueReadiness readiness = this.fetcher.readiness();
		if (readiness.takeUnwatched(QUEUE)) {
			Interleaving.step();
			this.watched = true;
			if (this.pending > 0) {
				readiness.mark(QUEUE);
				return true;
			}
		}
		return !this.pooled && this.slots.awaitOffer() && this.intake.isWorthwhile();
	}

	@Override
	public boolean isWorthLooking() {
		return this.intake.isUnattended();
	}

	@Override
	public void look() {
		try {
			this.intake.fetchForWorker();
			if (!this.fetcher.readiness().unwatched().isEmpty()) {
				wake();
			}
		}
		catch (BrokerUnavailableException ex) {
			// The processor was woken
		}
	}

	private void wake() {
		Interleaving.step();
		this.woken = true;
	}

	/**
	 * A thread for each task, as with virtual threads.
	 */
	static final class WithoutPool extends HandOver {

		WithoutPool() {
			super(false);
		}

	}

	/**
	 * Pooled threads that fetch for themselves.
	 */
	static final class WithPool extends HandOver {

		WithPool() {
			super(true);
		}

	}

	/**
	 * The second task arrives while the first is handed to its thread, or later.
	 */
	static final class WithoutPoolSpaced extends HandOver {

		WithoutPoolSpaced() {
			super(false);
		}

		@Override
		void arrive() {
			arriveSpaced();
		}

	}

	/**
	 * The second task arrives while the first is handed to its thread, or later.
	 */
	static final class WithPoolSpaced extends HandOver {

		WithPoolSpaced() {
			super(true);
		}

		@Override
		void arrive() {
			arriveSpaced();
		}

	}

	/**
	 * The first call to Redis by a worker fails.
	 */
	static final class WithFailure extends HandOver {

		private boolean failed;

		WithFailure() {
			super(true);
		}

		@Override
		void arrive() {
			arriveSpaced();
		}

		@Override
		Dequeued dequeue(String queue, int max) {
			if (!this.failed && !isProcessor()) {
				this.failed = true;
				throw new BrokerUnavailableException("away", null);
			}
			return super.dequeue(queue, max);
		}

	}

	/**
	 * The first of three tasks ends at once, but another thread ends its attempt: the
	 * others can run at the same time only if that frees the slot.
	 */
	static final class WithAnAbort extends HandOver {

		private int begun;

		WithAnAbort() {
			super(true);
		}

		@Override
		void arrive() {
			enqueue();
			enqueue();
			enqueue();
		}

		@Override
		void handle() {
			if (this.begun++ == 0) {
				new StepThread(this::release, "abort").start();
			}
			else {
				super.handle();
			}
		}

	}

}
