package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.QueueWeights;
import io.asynq.test.interleaving.Interleaving;
import io.asynq.test.interleaving.StepThread;
import org.jspecify.annotations.Nullable;

/**
 * A scenario of the hand-over from arrivals to workers: the real parts, and around them
 * as little of {@link Processor}, {@link Workers} and Redis as they need. It ends when
 * two tasks run at the same time; if a wake-up is lost it never does.
 */
class HandOver implements Runnable, WorkerThreads.Source, SlotFiller.Source {

	private static final String QUEUE = "default";

	private static final String PROCESSOR = "processor";

	private final Slots slots;

	private final TaskFetcher fetcher;

	private final PrefetchBuffer buffer;

	private final Intake intake;

	private final SlotFiller filler;

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
		this.buffer = new PrefetchBuffer(new QueueWeights(Map.of(), false), this::wake);
		this.intake = new Intake(this.fetcher, this.slots, this.buffer, flow(), new TestSink(this::start), this::wake);
		this.pool = new WorkerPool(2, this.slots::started);
		this.filler = new SlotFiller(this.slots, pooled ? this.pool : new OwnThreads(), this);
	}

	@Override
	public void run() {
		this.pool.start(this);
		this.intake.open();
		new StepThread(this::process, PROCESSOR).start();
		arrive();
		awaitAll();
		Interleaving.over();
		this.stopped = true;
		this.pool.stop();
	}

	void awaitAll() {
		Interleaving.await(() -> this.running == 2);
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
		this.filler.free();
	}

	TaskFlow flow() {
		return TestFetchers.nothingAhead();
	}

	boolean isProcessor() {
		return Thread.currentThread().getName().equals(PROCESSOR);
	}

	private void start(List<LeasedTask> tasks) {
		this.buffer.add(tasks);
		this.filler.fill();
	}

	@Override
	public boolean any() {
		return this.buffer.anyMayStart();
	}

	@Override
	public @Nullable Runnable next() {
		return (this.buffer.next() != null) ? this::handle : null;
	}

	@Override
	public void failed(Runnable work) {
		throw new IllegalStateException("Threads can always be started here");
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
		boolean leftOff;
		try {
			leftOff = this.intake.fetch();
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
		return leftOff || !this.pooled && this.slots.awaitOffer() && this.intake.isWorthwhile();
	}

	@Override
	public boolean isWorthLooking() {
		return this.intake.isUnattended();
	}

	@Override
	public void look() {
		try {
			boolean leftOff = true;
			while (leftOff) {
				leftOff = this.intake.fetchForWorker();
				if (!this.fetcher.readiness().unwatched().isEmpty()) {
					wake();
				}
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

	private final class OwnThreads implements WorkerThreads {

		@Override
		public void start(Source source) {
		}

		@Override
		public void execute(Runnable work) {
			new StepThread(() -> {
				HandOver.this.slots.started();
				work.run();
			}, "virtual").start();
		}

		@Override
		public boolean fetchThemselves() {
			return false;
		}

		@Override
		public void freed() {
		}

		@Override
		public void stop() {
		}

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
	 * A short task, and two that can end only together, one of which is fetched ahead of
	 * the workers.
	 */
	static class WithBufferedTasks extends HandOver {

		private int begun;

		WithBufferedTasks() {
			this(true);
		}

		WithBufferedTasks(boolean pooled) {
			super(pooled);
		}

		@Override
		TaskFlow flow() {
			return TestFetchers.shortTasksFarAway();
		}

		@Override
		void arrive() {
			for (int i = 0; i < 3; i++) {
				enqueue();
			}
		}

		@Override
		Dequeued dequeue(String queue, int max) {
			Dequeued two = super.dequeue(queue, Math.min(2, max));
			return new Dequeued(two.tasks(), two.exhausted(), null, 1000, false);
		}

		@Override
		void handle() {
			if (this.begun++ == 0) {
				release();
			}
			else {
				super.handle();
			}
		}

	}

	/**
	 * The same with a thread for each task.
	 */
	static final class WithBufferedTasksWithoutPool extends WithBufferedTasks {

		WithBufferedTasksWithoutPool() {
			super(false);
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
