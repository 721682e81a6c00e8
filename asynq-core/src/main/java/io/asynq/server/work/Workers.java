package io.asynq.server.work;

import java.util.List;

import io.asynq.broker.message.LeasedTask;
import io.asynq.server.attempt.ActiveTasks;
import io.asynq.server.attempt.Attempt;
import io.asynq.server.limit.Limiter;

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

	private final Limiter limiter;

	public Workers(TakenTasks taken, Slots slots, WorkerThreads threads, Worker worker, Running running) {
		this.taken = taken;
		this.slots = slots;
		this.threads = threads;
		this.worker = worker;
		this.active = running.active();
		this.deadlines = running.deadlines();
		this.limiter = running.limiter();
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
		Limiter.Sorted sorted = this.limiter.sort(tasks);
		try {
			startAll(sorted.unlimited());
		}
		finally {
			startAll(this.limiter.admitted(sorted.limited()));
		}
	}

	private void startAll(List<LeasedTask> tasks) {
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
				List<Attempt> unstarted = attempts.subList(started, attempts.size());
				this.taken.putBack(unstarted);
				unstarted.forEach((attempt) -> this.limiter.release(attempt.leased()));
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
			this.active.add(attempt, () -> ended(attempt));
			this.threads.execute(() -> this.worker.work(attempt));
		}
		catch (Throwable ex) {
			this.slots.started();
			free();
			this.active.returned(attempt);
			throw ex;
		}
	}

	private void ended(Attempt attempt) {
		this.limiter.release(attempt.leased());
		free();
	}

	private void free() {
		this.slots.release();
		this.threads.freed();
	}

	/**
	 * Who must know of an attempt that runs.
	 *
	 * @param active keeps its lease renewed
	 * @param deadlines watches its deadline
	 * @param limiter decides whether it may run
	 */
	public record Running(ActiveTasks active, DeadlineWatch deadlines, Limiter limiter) {
	}

}
