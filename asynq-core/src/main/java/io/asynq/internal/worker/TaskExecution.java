package io.asynq.internal.worker;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.asynq.event.TaskOutcome;
import io.asynq.handler.LeaseExpiredException;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The execution of one task from its worker thread to its outcome.
 */
public final class TaskExecution {

	private static final Logger logger = OneLineLogger.of(TaskExecution.class);

	/**
	 * How many error handlers may hang before aborted attempts are reported without them.
	 */
	private static final int ABORT_THREADS = 16;

	private final TaskHandlerFunction handler;

	private final AttemptObserver observer;

	private final Decision decision;

	private final Outcomes outcomes;

	private final ServerCounters counters;

	/**
	 * Each waiting attempt has a slot, so the queue is bounded by the number of slots.
	 */
	private final ThreadPoolExecutor abortThreads;

	public TaskExecution(TaskHandlerFunction handler, AttemptObserver observer, Decision decision, Outcomes outcomes,
			ServerCounters counters) {
		this.handler = handler;
		this.observer = observer;
		this.decision = decision;
		this.outcomes = outcomes;
		this.counters = counters;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-abort-");
		threads.setDaemon(true);
		this.abortThreads = new ThreadPoolExecutor(ABORT_THREADS, ABORT_THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads);
		this.abortThreads.allowCoreThreadTimeOut(true);
	}

	public boolean hasHandler() {
		return !(this.handler instanceof TaskMux mux) || !mux.isEmpty();
	}

	public void run(Attempt attempt) {
		if (!attempt.begin()) {
			return;
		}
		byte[] result = null;
		Throwable error = null;
		TaskObservation.Scope scope = TaskObservation.Scope.NONE;
		try {
			TaskMdc.put(attempt.message());
			scope = this.observer.enter(attempt);
			if (attempt.times().left(System.nanoTime()).toNanos() > 0) {
				this.observer.started(attempt);
				result = this.handler.processTask(attempt.task(), attempt);
			}
			else {
				error = new TaskDeadlineExceededException();
			}
		}
		catch (Throwable ex) {
			error = ex;
		}
		finish(attempt, result, error, scope);
	}

	/** Returns {@code false} if the handler was called, or the attempt has ended. */
	boolean fail(Attempt attempt, Throwable error) {
		boolean failed = attempt.begin();
		if (failed) {
			TaskMdc.put(attempt.message());
			finish(attempt, null, error, this.observer.enterIfPossible(attempt));
		}
		return failed;
	}

	/**
	 * @param cause a new exception, which gets the place where the handler is as a cause
	 */
	public void abort(Attempt attempt, Throwable cause) {
		Thread handling = attempt.thread();
		if (handling != null) {
			// Before the interrupt, after which it may be anywhere
			cause.initCause(UserThread.where("the handler", handling));
		}
		abort(attempt, cause, () -> {
		}, () -> conclude(attempt, null, cause));
	}

	/** Another server may run the task, so nothing is written. */
	public void leaseLost(Attempt attempt) {
		LeaseExpiredException cause = new LeaseExpiredException();
		this.outcomes.forget(attempt);
		abort(attempt, cause, () -> {
			attempt.conclusion().take();
			attempt.observation().decided(TaskOutcome.LEASE_LOST, cause);
			this.counters.leasesLost.increment();
			TaskMdc.during(attempt.message(),
					() -> logger.warn("Lost the lease on {}: {}", attempt, attempt.lease().fate()));
		}, () -> {
			// First, because the error handler may not return
			attempt.observation().end();
			callErrorHandlerOnly(attempt, cause);
		});
	}

	/** Reports the outcome as far as it is known, without calling user code. */
	public void settle(Attempt attempt) {
		report(attempt);
		endObservation(attempt);
	}

	/** The outcome is written without this class. */
	void decided(Attempt attempt, Outcome outcome) {
		this.observer.decided(attempt, outcome);
		endObservation(attempt);
	}

	/**
	 * The decided outcome, else what follows from the error without user code, else a
	 * requeue.
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
		TaskMdc.during(attempt.message(),
				() -> logger.warn(
						"The worker of {} is gone without an outcome: the task is put back to the front of its queue",
						attempt));
		return new Outcome.Requeue(attempt.leased());
	}

	/** The last participant sees to the outcome and frees the slot. */
	public void leave(Attempt attempt) {
		if (!attempt.leave()) {
			return;
		}
		try {
			settle(attempt);
		}
		finally {
			attempt.free();
		}
	}

	private void report(Attempt attempt) {
		Conclusion conclusion = attempt.conclusion();
		if (!conclusion.take()) {
			return;
		}
		Outcome outcome;
		try {
			outcome = outcome(attempt);
			this.outcomes.report(attempt, outcome);
		}
		catch (Throwable ex) {
			// Out of memory: the heartbeater finds the attempt and retries
			conclusion.giveBack();
			throw ex;
		}
		this.observer.decided(attempt, outcome);
	}

	private void abort(Attempt attempt, Throwable cause, Runnable first, Runnable then) {
		if (!attempt.join()) {
			return;
		}
		boolean handedOver = false;
		try {
			if (attempt.abort(cause)) {
				first.run();
				this.observer.aborted(attempt, cause);
				this.abortThreads.execute(() -> {
					try (TaskObservation.Scope scope = this.observer.enterAgain(attempt)) {
						TaskMdc.put(attempt.message());
						then.run();
					}
					finally {
						attempt.observation().end();
						leaveUnnamed(attempt);
					}
				});
				handedOver = true;
			}
		}
		catch (OutOfMemoryError ex) {
			logger.error(
					"No thread is available to call the TaskErrorHandler for {}: its outcome is written without it",
					attempt, ex);
			settle(attempt);
		}
		finally {
			if (!handedOver) {
				leave(attempt);
			}
		}
	}

	/** What observes may hang, and must not keep a loop or a stop. */
	private void endObservation(Attempt attempt) {
		if (attempt.observation().isRunning()) {
			this.abortThreads.execute(attempt.observation()::end);
		}
	}

	private void finish(Attempt attempt, byte @Nullable [] result, @Nullable Throwable error,
			TaskObservation.Scope scope) {
		try (scope) {
			if (attempt.end(error)) {
				conclude(attempt, result, error);
			}
			else {
				dropLateReturn(attempt, error);
			}
		}
		finally {
			attempt.observation().end();
			leaveUnnamed(attempt);
		}
		UserCode.rethrowIfFatal(error);
	}

	private void leaveUnnamed(Attempt attempt) {
		try {
			leave(attempt);
		}
		finally {
			TaskMdc.remove();
		}
	}

	private void conclude(Attempt attempt, byte @Nullable [] result, @Nullable Throwable error) {
		Conclusion conclusion = attempt.conclusion();
		conclusion.enter();
		try {
			Outcome outcome = (error != null) ? this.decision.decide(attempt.leased(), error)
					: success(attempt.leased(), result);
			// From here on the outcome is fixed, even if the error handler fails or hangs
			conclusion.decide(outcome);
			if (error != null) {
				this.observer.failed(attempt, error, outcome);
			}
			if (outcome instanceof Outcome.Postpone) {
				this.counters.postponed.increment();
			}
		}
		finally {
			conclusion.leave();
			report(attempt);
		}
	}

	private void callErrorHandlerOnly(Attempt attempt, Throwable error) {
		attempt.conclusion().enter();
		try {
			this.observer.callErrorHandler(attempt, error);
		}
		finally {
			attempt.conclusion().leave();
		}
	}

	private static Outcome success(LeasedTask task, byte @Nullable [] result) {
		return (task.message().retentionSeconds() > 0) ? new Outcome.Completed(task, result) : new Outcome.Done(task);
	}

	private void dropLateReturn(Attempt attempt, @Nullable Throwable error) {
		Throwable cause = attempt.cancellation();
		if (cause instanceof LeaseExpiredException) {
			// Else another outcome of the attempt was written
			this.counters.outcomesDropped.increment();
		}
		logger.info("The handler of {} returned after its attempt had ended ({}): {} is dropped", attempt,
				(cause != null) ? cause.getMessage() : "", (error != null) ? "its error" : "its result");
	}

}
