package io.asynq.server.work;

import java.util.List;

import io.asynq.broker.message.LeasedTask;
import io.asynq.server.attempt.ActiveTasks;
import io.asynq.server.attempt.Attempt;

/**
 * The workers of a server: slots limit their number, threads run them. Safe for
 * concurrent use; one thread at a time hands tasks over.
 */
public final class Workers {

	private final TakenTasks taken;

	private final Slots slots;

	private final WorkerThreads threads;

	private final Worker worker;

	private final ActiveTasks active;

	private final DeadlineWatch deadlines;

	private final Attempt.Slot slot = this::free;

	public Workers(TakenTasks taken, Slots slots, WorkerThreads threads, Worker worker, ActiveTasks active,
			DeadlineWatch deadlines) {
		this.taken = taken;
		this.slots = slots;
		this.threads = threads;
		this.worker = worker;
		this.active = active;
		this.deadlines = deadlines;
	}

	void start(WorkerThreads.Source source) {
		this.threads.start(source);
	}

	/**
	 * Runs tasks of one queue, each in its own worker. Throws whatever keeps a task from
	 * starting, such as an error of the JVM that has no more threads; this task and those
	 * behind it are then put back.
	 */
	public void run(List<LeasedTask> tasks) {
		List<Attempt> attempts = this.taken.attempts(tasks);
		int started = 0;
		try {
			for (Attempt attempt : attempts) {
				start(attempt);
				started++;
				this.deadlines.watch(attempt);
			}
		}
		finally {
			if (started < attempts.size()) {
				this.taken.putBack(attempts.subList(started, attempts.size()));
			}
		}
	}

	/**
	 * Returns whether idle threads look for work by themselves.
	 */
	boolean lookForWork() {
		return this.threads.lookForWork();
	}

	/**
	 * Wakes the processor once when a slot becomes free, unless one is free already.
	 * @return whether one is free already
	 */
	boolean awaitOffer() {
		return this.slots.awaitOffer();
	}

	void stop() {
		this.threads.stop();
	}

	private void start(Attempt attempt) {
		this.slots.take();
		try {
			this.active.add(attempt, this.slot);
			this.threads.execute(() -> this.worker.work(attempt));
		}
		catch (Throwable ex) {
			this.slots.started();
			free();
			this.active.returned(attempt);
			throw ex;
		}
	}

	private void free() {
		this.slots.release();
		this.threads.freed();
	}

}
