package io.asynq.internal.worker;

import java.util.List;
import java.util.function.Consumer;

import io.asynq.internal.lifecycle.LoopErrorLog;

/**
 * Records in Redis when the handler of a suspect begins, without which a server that
 * crashed then would leave no trace of which task ran; in the worker's thread, so that a
 * cluster node that hangs blocks only the slots of its own tasks.
 */
public final class Beginnings {

	private final TaskCompleter attempts;

	private final OutcomeReporter reporter;

	private final LoopErrorLog errors;

	private final Consumer<String> refused;

	/**
	 * @param refused leaves a queue alone for a moment, else its task would be taken
	 * again at once
	 */
	public Beginnings(TaskCompleter attempts, OutcomeReporter reporter, Consumer<String> refused, LoopErrorLog errors) {
		this.refused = refused;
		this.attempts = attempts;
		this.reporter = reporter;
		this.errors = errors;
	}

	/** Puts the task back if the lease has ended or the record could not be written. */
	public boolean mayBegin(Attempt attempt) {
		boolean recorded = !isToBeRecorded(attempt.leased()) || note(attempt);
		if (recorded && attempt.lease().isValidAt(System.nanoTime())) {
			return true;
		}
		// If another thread has ended the attempt meanwhile, that thread concludes it
		if (attempt.takeBack(new ServerStoppedException())) {
			this.reporter.reportNow(List.of(new PendingOutcome(attempt, new Outcome.Requeue(attempt.leased()), false)));
		}
		return false;
	}

	private static boolean isToBeRecorded(LeasedTask task) {
		// A last attempt that counted as not begun would be made once more
		return task.record().suspect() || task.isLastAttempt() && task.ahead();
	}

	private boolean note(Attempt attempt) {
		try {
			return !this.attempts.begin(attempt.queue(), List.of(attempt.leased())).isEmpty();
		}
		catch (Throwable ex) {
			this.errors.warn("asynq-processor", ex);
			this.refused.accept(attempt.queue());
			return false;
		}
	}

}
