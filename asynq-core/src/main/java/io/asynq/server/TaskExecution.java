package io.asynq.server;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.asynq.LeaseExpiredException;
import io.asynq.PostponeTaskException;
import io.asynq.TaskDeadlineExceededException;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.handler.AsynqHandler;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.handler.TaskMux;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * What happens to one task, from its worker thread to its outcome: deadline, handler with
 * its interceptors, error handler, decision, report. Safe for concurrent use.
 */
final class TaskExecution {

	private static final Logger logger = OneLineLogger.of(TaskExecution.class);

	/** As many error handlers as may hang before deadlines are reported without them. */
	private static final int ABORT_THREADS = 16;

	private final AsynqHandler handler;

	private final TaskErrorHandler errorHandler;

	private final FailureDecision decision;

	private final OutcomeReporter reporter;

	private final ActiveTasks active;

	private final ServerCounters counters;

	private final PostponeBudget postponements;

	/**
	 * Where the error handler runs for attempts whose own thread is still busy. What
	 * waits for a thread has a slot, so that no more can wait than there are slots.
	 */
	private final ThreadPoolExecutor abortThreads;

	TaskExecution(AsynqHandler handler, FailureDecision decision, ServerRuntime runtime) {
		this.handler = handler;
		this.errorHandler = runtime.policies().errors();
		this.decision = decision;
		this.reporter = runtime.reporter();
		this.active = runtime.active();
		this.counters = runtime.counters();
		this.postponements = runtime.postponements();
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-abort-");
		threads.setDaemon(true);
		this.abortThreads = new ThreadPoolExecutor(ABORT_THREADS, ABORT_THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads);
		this.abortThreads.allowCoreThreadTimeOut(true);
	}

	/**
	 * Returns whether anything works on tasks.
	 * @return {@code false} if all tasks would fail because there is no handler
	 */
	boolean hasHandler() {
		return !(this.handler instanceof TaskMux mux) || !mux.isEmpty();
	}

	/**
	 * Runs an attempt in the present thread, if nobody has run it.
	 * @param attempt the attempt
	 */
	void run(Attempt attempt) {
		if (!attempt.begin()) {
			return;
		}
		byte[] result = null;
		Throwable error = null;
		try {
			if (attempt.times().left(System.nanoTime()).toNanos() > 0) {
				result = this.handler.processTask(attempt.task(), attempt);
			}
			else {
				error = new TaskDeadlineExceededException();
			}
		}
		catch (Throwable ex) {
			error = ex;
		}
		finish(attempt, result, error);
	}

	/**
	 * Ends an attempt whose handler was not called, and will not be.
	 * @param attempt the attempt
	 * @param error what kept it from being called
	 * @return {@code false} if it was called, or the attempt has ended
	 */
	boolean fail(Attempt attempt, Throwable error) {
		boolean failed = attempt.begin();
		if (failed) {
			finish(attempt, null, error);
		}
		return failed;
	}

	/**
	 * Ends an attempt whose handler still runs, because of its deadline or a
	 * cancellation: the handler is interrupted and the outcome reported at once.
	 * @param attempt the attempt
	 * @param cause why
	 */
	void abort(Attempt attempt, Throwable cause) {
		abort(attempt, cause, () -> {
		}, () -> conclude(attempt, null, cause));
	}

	/**
	 * Ends an attempt whose lease was lost: another server may work on the task, so
	 * nothing is written (asynq H12).
	 * @param attempt the attempt
	 */
	void leaseLost(Attempt attempt) {
		LeaseExpiredException cause = new LeaseExpiredException();
		this.reporter.forget(attempt);
		abort(attempt, cause, () -> {
			attempt.conclusion().take();
			this.counters.leasesLost.increment();
			logger.warn("Lost the lease on {}: {}", attempt, attempt.lease().fate());
		}, () -> tellOnly(attempt, cause));
	}

	/**
	 * Reports the outcome of an attempt as far as it is known, unless somebody has. Runs
	 * no code of the user's.
	 * @param attempt the attempt
	 */
	void settle(Attempt attempt) {
		Conclusion conclusion = attempt.conclusion();
		if (!conclusion.take()) {
			return;
		}
		boolean reported = false;
		try {
			this.reporter.report(attempt, outcome(attempt));
			reported = true;
		}
		finally {
			if (!reported) {
				// There was no memory for it. The heartbeater finds it and tries again
				conclusion.giveBack();
			}
		}
	}

	/**
	 * Returns how an attempt ends as far as it is known. Runs no code of the user's.
	 * @param attempt the attempt
	 * @return what was decided, else what its error says, else that it is put back
	 */
	Outcome outcome(Attempt attempt) {
		Outcome decided = attempt.conclusion().decided();
		if (decided != null) {
			return decided;
		}
		Throwable error = attempt.conclusion().error();
		if (error != null) {
			return this.decision.decideAlone(attempt.leased(), error);
		}
		logger.warn("The worker of {} is gone without an outcome: it is put back to the front of its queue", attempt);
		return new Outcome.Requeue(attempt.leased());
	}

	/**
	 * Says that somebody is done with an attempt. The last one frees its slot and sees to
	 * it that it has an outcome.
	 * @param attempt the attempt
	 */
	void leave(Attempt attempt) {
		if (!attempt.leave()) {
			return;
		}
		try {
			settle(attempt);
		}
		finally {
			this.active.returned(attempt);
			attempt.free();
		}
	}

	private void abort(Attempt attempt, Throwable cause, Runnable first, Runnable then) {
		if (!attempt.join()) {
			return;
		}
		boolean handedOver = false;
		try {
			if (attempt.abort(cause)) {
				first.run();
				this.abortThreads.execute(() -> {
					try {
						then.run();
					}
					finally {
						leave(attempt);
					}
				});
				handedOver = true;
			}
		}
		catch (OutOfMemoryError ex) {
			logger.error("There is no thread to tell the TaskErrorHandler of {}: its outcome is written without",
					attempt, ex);
			settle(attempt);
		}
		finally {
			if (!handedOver) {
				leave(attempt);
			}
		}
	}

	private void finish(Attempt attempt, byte @Nullable [] result, @Nullable Throwable error) {
		try {
			if (attempt.end(error)) {
				conclude(attempt, result, error);
			}
			else {
				dropLateReturn(attempt, error);
			}
		}
		finally {
			leave(attempt);
		}
		rethrowIfFatal(error);
	}

	private void conclude(Attempt attempt, byte @Nullable [] result, @Nullable Throwable error) {
		Conclusion conclusion = attempt.conclusion();
		conclusion.enter();
		try {
			Outcome outcome = (error != null) ? this.decision.decide(attempt.leased(), error)
					: success(attempt.leased(), result);
			// From here on nothing can change it, whatever happens to who is told
			conclusion.decide(outcome);
			if (error != null) {
				if (!(outcome instanceof Outcome.Postpone)) {
					tell(attempt, error);
				}
				logFailure(attempt, error, outcome);
			}
			note(attempt, (outcome instanceof Outcome.Postpone)
					? ErrorTexts.findCause(error, PostponeTaskException.class) : null);
		}
		finally {
			conclusion.leave();
			settle(attempt);
		}
	}

	private void tellOnly(Attempt attempt, Throwable error) {
		attempt.conclusion().enter();
		try {
			tell(attempt, error);
		}
		finally {
			attempt.conclusion().leave();
		}
	}

	private void note(Attempt attempt, @Nullable PostponeTaskException postponement) {
		String type = attempt.task().type();
		if (postponement == null) {
			this.postponements.worked(attempt.queue(), type);
		}
		else {
			this.counters.postponed.increment();
			this.postponements.postponed(attempt.queue(), type, FailureDecision.delay(postponement));
		}
	}

	private static Outcome success(LeasedTask task, byte @Nullable [] result) {
		return (task.message().retentionSeconds() > 0) ? new Outcome.Completed(task, result) : new Outcome.Done(task);
	}

	private void tell(Attempt attempt, Throwable error) {
		UserCode.run(() -> this.errorHandler.handleError(attempt.task(), attempt, error),
				(shown) -> logger.error("TaskErrorHandler failed for {}", attempt, shown));
	}

	private static void logFailure(Attempt attempt, Throwable error, Outcome outcome) {
		if (outcome instanceof Outcome.Archive archive) {
			logger.warn("Archived {} after {} retries: {}", attempt, attempt.retryCount(), archive.error());
		}
		else if (outcome instanceof Outcome.Postpone postpone) {
			logger.debug("Postponed {} by {}", attempt, postpone.due().delay());
		}
		else {
			UserCode.tell(error,
					(shown) -> logger.debug("Failed {}, attempt {}", attempt, attempt.retryCount() + 1, shown));
		}
	}

	private void dropLateReturn(Attempt attempt, @Nullable Throwable error) {
		this.counters.outcomesDropped.increment();
		Throwable cause = attempt.cancellation();
		logger.info("The handler of {} has returned after its attempt ended ({}): {} is dropped", attempt,
				(cause != null) ? cause.getMessage() : "", (error != null) ? "its error" : "its result");
	}

	private static void rethrowIfFatal(@Nullable Throwable error) {
		if (error instanceof VirtualMachineError fatal && !(error instanceof StackOverflowError)) {
			throw fatal;
		}
	}

}
