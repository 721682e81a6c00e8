package io.asynq.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Dequeued;
import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.QueueWeights;
import io.asynq.broker.TaskMessage;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.test.interleaving.Interleaving;
import io.asynq.test.interleaving.StepThread;

/**
 * A scenario of the hand-over from arrivals to workers: the real parts, around them as
 * little of {@link Processor}, {@link Workers} and Redis as they need. It ends when two
 * tasks run at the same time; where a wake-up is lost it does not.
 */
class HandOver implements Runnable {

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
		this.slots = new Slots(2, this::wake, this::freed);
		this.fetcher = new TaskFetcher(this::dequeue, new QueueWeights(Map.of(QUEUE, 1), false),
				new PostponeBudget(() -> 0, (queue, length) -> true), Lanes.single(), new LoopErrorLog());
		this.intake = new Intake(this.fetcher, this.slots, this::start, (tasks) -> {
		}, this::wake);
		this.pool = new WorkerPool(2, this.slots::started, this::fetchForWorker, this.intake::isUnattended);
	}

	@Override
	public void run() {
		this.pool.start();
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

	/** Is a handler, then the end of its attempt. */
	void handle() {
		this.running++;
		Interleaving.await(() -> this.running == 2);
		this.slots.release();
	}

	void release() {
		this.slots.release();
	}

	boolean isProcessor() {
		return Thread.currentThread().getName().equals(PROCESSOR);
	}

	private void start(String queue, List<LeasedTask> tasks) {
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
	 * Does what the processor does at a time.
	 * @return whether it is to be done again at once
	 */
	private boolean processOnce() {
		try {
			this.intake.fetch();
		}
		catch (BrokerUnavailableException ex) {
			return true;
		}
		QueueReadiness readiness = this.fetcher.readiness();
		if (!readiness.takeUnwatched().isEmpty()) {
			Interleaving.step();
			this.watched = true;
			if (this.pending > 0) {
				readiness.mark(QUEUE);
				return true;
			}
		}
		return !this.pooled && this.slots.awaitOffer() && this.intake.isWorthwhile();
	}

	private void fetchForWorker() {
		try {
			this.intake.fetchForWorker();
			if (this.fetcher.readiness().anyUnwatched()) {
				wake();
			}
		}
		catch (BrokerUnavailableException ex) {
			// The processor has been woken
		}
	}

	private void wake() {
		Interleaving.step();
		this.woken = true;
	}

	private void freed() {
		if (this.pooled) {
			this.pool.freed();
		}
	}

	/**
	 * Threads for each task, as virtual ones.
	 */
	static final class WithoutPool extends HandOver {

		WithoutPool() {
			super(false);
		}

	}

	/**
	 * Threads of a pool, which look for work by themselves.
	 */
	static final class WithPool extends HandOver {

		WithPool() {
			super(true);
		}

	}

	/**
	 * The second task arrives when the first is on its way to its thread, or later.
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
	 * The second task arrives when the first is on its way to its thread, or later.
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
	 * The first call to Redis fails that is not the processor's.
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
	 * others can run at the same time only when that has freed the slot.
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
