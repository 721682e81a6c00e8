package io.asynq.server;

import java.time.Clock;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * What happens to one task, from its worker thread to its outcome: deadline, handler with
 * its interceptors, error handler, decision, report. Safe for concurrent use.
 */
final class TaskExecution {

	private static final Logger logger = LoggerFactory.getLogger(TaskExecution.class);

	private final AsynqHandler handler;

	private final TaskErrorHandler errorHandler;

	private final FailureDecision decision;

	private final OutcomeReporter reporter;

	private final ServerCounters counters;

	private final PostponeBudget postponements;

	private final Clock clock;

	/** Where the error handler runs for attempts whose own thread is still busy. */
	private final ThreadPoolExecutor abortThreads;

	TaskExecution(AsynqHandler handler, FailureDecision decision, ServerRuntime runtime) {
		this.handler = handler;
		this.errorHandler = runtime.policies().errors();
		this.decision = decision;
		this.reporter = runtime.reporter();
		this.counters = runtime.counters();
		this.postponements = runtime.postponements();
		this.clock = runtime.clock();
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-abort-");
		threads.setDaemon(true);
		this.abortThreads = new ThreadPoolExecutor(4, 4, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
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
	 * Runs an attempt in the present thread.
	 * @param attempt the attempt
	 */
	void run(Attempt attempt) {
		if (!attempt.begin()) {
			return;
		}
		byte[] result = null;
		Throwable error = null;
		try {
			if (this.clock.instant().isBefore(attempt.deadline())) {
				result = this.handler.processTask(attempt.task(), attempt);
			}
			else {
				error = new TaskDeadlineExceededException();
			}
		}
		catch (Throwable ex) {
			error = ex;
		}
		if (attempt.end()) {
			conclude(attempt, result, error);
		}
		else {
			dropLateReturn(attempt, error);
		}
		rethrowIfFatal(error);
	}

	/**
	 * Ends an attempt whose handler still runs, because of its deadline or a
	 * cancellation: the handler is interrupted and the outcome reported at once.
	 * @param attempt the attempt
	 * @param cause why
	 */
	void abort(Attempt attempt, Throwable cause) {
		if (attempt.abort(cause)) {
			this.abortThreads.execute(() -> conclude(attempt, null, cause));
		}
	}

	/**
	 * Ends an attempt whose lease was lost: another server may work on the task, so
	 * nothing is written (asynq H12).
	 * @param attempt the attempt
	 */
	void leaseLost(Attempt attempt) {
		LeaseExpiredException cause = new LeaseExpiredException();
		this.reporter.forget(attempt);
		if (attempt.abort(cause)) {
			this.counters.leasesLost.increment();
			logger.warn("Lost the lease on {}: Redis was not reached in time, or clocks differ; "
					+ "it will be recovered and run again", attempt);
			this.abortThreads.execute(() -> tell(attempt, cause));
		}
	}

	private void conclude(Attempt attempt, byte @Nullable [] result, @Nullable Throwable error) {
		PostponeTaskException postponement = ErrorTexts.findCause(error, PostponeTaskException.class);
		Outcome outcome;
		if (error == null) {
			outcome = success(attempt.leased(), result);
		}
		else {
			if (postponement == null) {
				tell(attempt, error);
			}
			outcome = this.decision.decide(attempt.leased(), error);
			logFailure(attempt, error, outcome);
		}
		note(attempt, postponement);
		this.reporter.report(attempt, outcome);
	}

	private void note(Attempt attempt, @Nullable PostponeTaskException postponement) {
		String type = attempt.task().type();
		if (postponement == null) {
			this.postponements.worked(attempt.queue(), type);
		}
		else {
			this.counters.postponed.increment();
			this.postponements.postponed(attempt.queue(), type, postponement.delay());
		}
	}

	private static Outcome success(LeasedTask task, byte @Nullable [] result) {
		return (task.message().retentionSeconds() > 0) ? new Outcome.Completed(task, result) : new Outcome.Done(task);
	}

	private void tell(Attempt attempt, Throwable error) {
		try {
			this.errorHandler.handleError(attempt.task(), attempt, error);
		}
		catch (RuntimeException | LinkageError | AssertionError ex) {
			logger.error("TaskErrorHandler failed for {}", attempt, ex);
		}
	}

	private static void logFailure(Attempt attempt, Throwable error, Outcome outcome) {
		if (outcome instanceof Outcome.Archive) {
			logger.warn("Archived {} after {} retries: {}", attempt, attempt.retryCount(), ErrorTexts.describe(error));
		}
		else if (outcome instanceof Outcome.Postpone postpone) {
			logger.debug("Postponed {} until {}", attempt, postpone.until());
		}
		else {
			logger.debug("Failed {}, attempt {}", attempt, attempt.retryCount() + 1, error);
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
