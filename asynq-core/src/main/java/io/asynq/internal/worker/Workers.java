package io.asynq.internal.worker;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Slots limit the number of workers, threads run them; one thread at a time hands tasks
 * over.
 */
public final class Workers implements Intake.Sink {

	private final TakenTasks taken;

	private final TaskExecution execution;

	private final ActiveTasks active;

	private final DeadlineWatch deadlines;

	private final LimitGate limits;

	private final SlotFiller filler;

	public Workers(TakenTasks taken, Slots slots, WorkerThreads threads, TaskExecution execution, ActiveTasks active,
			DeadlineWatch deadlines, LimitGate limits) {
		this.taken = taken;
		this.execution = execution;
		this.active = active;
		this.deadlines = deadlines;
		this.limits = limits;
		this.filler = new SlotFiller(slots, threads, new Buffered());
	}

	/**
	 * Throws what keeps a task from starting, such as the JVM's lack of threads, after
	 * putting back this task and those behind it.
	 */
	@Override
	public void run(List<LeasedTask> tasks) {
		LimitGate.Sorted sorted = orPutBack(tasks, () -> this.limits.sort(tasks));
		try {
			start(sorted.unlimited());
		}
		finally {
			List<LeasedTask> limited = sorted.limited().stream().map(LimitGate.Limited::task).toList();
			LimitGate.Admission admission = orPutBack(limited, () -> this.limits.admit(sorted.limited()));
			try {
				this.taken.end(admission.refused());
			}
			finally {
				start(admission.admitted());
			}
		}
	}

	private <T> T orPutBack(List<LeasedTask> tasks, Supplier<T> step) {
		try {
			return step.get();
		}
		catch (Throwable ex) {
			this.taken.putBackStranded(tasks);
			throw ex;
		}
	}

	private void start(List<LeasedTask> tasks) {
		this.taken.add(tasks);
		this.filler.fill();
	}

	@Override
	public void putBack(List<LeasedTask> tasks) {
		this.taken.putBackTasks(tasks);
	}

	private void ended(Attempt attempt) {
		this.limits.release(attempt.lease());
		this.filler.free();
	}

	private final class Buffered implements SlotFiller.Source {

		@Override
		public boolean any() {
			return Workers.this.taken.anyMayStart();
		}

		@Override
		public @Nullable Runnable next() {
			Attempt attempt = Workers.this.taken.next();
			if (attempt == null) {
				return null;
			}
			Workers.this.active.add(attempt, () -> ended(attempt));
			Workers.this.deadlines.watch(attempt);
			return new Work(attempt);
		}

		@Override
		public void failed(Runnable work) {
			Attempt attempt = ((Work) work).attempt;
			Workers.this.active.returned(attempt);
			Workers.this.taken.putBackFrom(attempt);
		}

	}

	private final class Work implements Runnable {

		private final Attempt attempt;

		Work(Attempt attempt) {
			this.attempt = attempt;
		}

		@Override
		public void run() {
			Workers.this.execution.work(this.attempt);
		}

	}

}
