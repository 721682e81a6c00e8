package io.asynq.internal.worker;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.asynq.AsynqException;
import io.asynq.event.TaskOutcome;
import io.asynq.handler.LeaseExpiredException;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * What a worker's thread does with an attempt: it records a beginning that must leave a
 * trace, calls the decorator and in it the handler, has the outcome decided, and hands it
 * over to be written; of an attempt that is aborted, another thread does the last two.
 */
public final class TaskExecution {

	private static final Logger logger = OneLineLogger.of(TaskExecution.class);

	/**
	 * How many error handlers may hang before aborted attempts are reported without them.
	 */
	private static final int ABORT_THREADS = 16;

	private final TaskHandlerFunction handler;

	private final TaskDecorator decorator;

	private final AttemptObserver observer;

	private final Decision decision;

	private final Outcomes outcomes;

	private final ServerCounters counters;

	private final Predicate<Attempt> recorder;

	private final TaskFlow flow;

	private final Consumer<String> refused;

	private final LoopErrorLog errors;

	/**
	 * Each waiting attempt has a slot, so the queue is bounded by the number of slots.
	 */
	private final ThreadPoolExecutor abortThreads;

	/**
	 * @param recorder records the beginning, unless another attempt has the task by now
	 * @param refused leaves a queue alone for a moment, else its task would be taken
	 * again at once
	 */
	public TaskExecution(TaskHandlerFunction handler, TaskDecorator decorator, AttemptObserver observer,
			Decision decision, Outcomes outcomes, ServerCounters counters, TaskFlow flow, Predicate<Attempt> recorder,
			Consumer<String> refused, LoopErrorLog errors) {
		this.handler = handler;
		this.decorator = decorator;
		this.observer = observer;
		this.decision = decision;
		this.outcomes = outcomes;
		this.counters = counters;
		this.flow = flow;
		this.recorder = recorder;
		this.refused = refused;
		this.errors = errors;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-abort-");
		threads.setDaemon(true);
		this.abortThreads = new ThreadPoolExecutor(ABORT_THREADS, ABORT_THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads);
		this.abortThreads.allowCoreThreadTimeOut(true);
	}

	public boolean hasHandler() {
		return !(this.handler instanceof TaskMux mux) || !mux.isEmpty();
	}

	/** The current thread has started the attempt, and releases it. */
	public void work(Attempt attempt) {
		long start = System.nanoTime();
		try {
			// Before an interrupt can reach the thread, which must not end the call to
			// Redis
			if (mayBegin(attempt)) {
				attempt.enterDecorator();
				runDecorated(attempt);
			}
		}
		finally {
			attempt.leaveDecorator();
			this.flow.ran(System.nanoTime() - start);
			release(attempt);
		}
	}

	/** Puts the task back if the lease has ended or the beginning cannot be recorded. */
	boolean mayBegin(Attempt attempt) {
		boolean recorded = !isToBeRecorded(attempt.leased()) || record(attempt);
		if (recorded && attempt.lease().isValidAt(System.nanoTime())) {
			return true;
		}
		// If another thread has ended the attempt meanwhile, that thread concludes it
		if (attempt.abortAndClaim(new ServerStoppedException())) {
			this.outcomes.report(attempt.withOutcome(new Outcome.Requeue(attempt.leased())));
		}
		return false;
	}

	void run(Attempt attempt) {
		if (!attempt.begin()) {
			return;
		}
		byte[] result = null;
		Throwable error = null;
		TaskObservation.Scope scope = TaskObservation.Scope.NONE;
		try {
			TaskMdc.put(attempt.message());
			scope = this.observer.enter(attempt);
			if (attempt.endNanos() - System.nanoTime() > 0) {
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

	/**
	 * @param cause a new exception, which gets the place where the handler is as a cause
	 */
	public void abort(Attempt attempt, Throwable cause) {
		Thread handling = attempt.handlerThread();
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
			attempt.claim();
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
	void written(Attempt attempt) {
		this.observer.decided(attempt, attempt.requireOutcome());
		endObservation(attempt);
	}

	/**
	 * For whoever has claimed it: what was decided, else what follows from the error
	 * without user code, else a requeue.
	 */
	Attempt withOutcome(Attempt attempt) {
		Throwable error = attempt.error();
		if (attempt.outcome() != null) {
			return attempt;
		}
		if (error != null) {
			return attempt.withOutcome(this.decision.decideAlone(attempt.leased(), error));
		}
		TaskMdc.during(attempt.message(),
				() -> logger.warn(
						"The worker of {} is gone without an outcome: the task is put back to the front of its queue",
						attempt));
		return attempt.withOutcome(new Outcome.Requeue(attempt.leased()));
	}

	/** The last thread sees to the outcome and frees the slot. */
	public void release(Attempt attempt) {
		if (!attempt.release()) {
			return;
		}
		try {
			settle(attempt);
		}
		finally {
			attempt.freeSlot();
		}
	}

	private static boolean isToBeRecorded(LeasedTask task) {
		// A last attempt that counted as not begun would be made once more
		return task.record().suspect() || task.isLastAttempt() && task.ahead();
	}

	/**
	 * Without it a server that crashes would leave no trace of which task ran; in the
	 * worker's thread, so that a cluster node that hangs blocks only the slots of its own
	 * tasks.
	 */
	private boolean record(Attempt attempt) {
		try {
			return this.recorder.test(attempt);
		}
		catch (Throwable ex) {
			this.errors.warn("asynq-processor", ex);
			this.refused.accept(attempt.queue());
			return false;
		}
	}

	private void runDecorated(Attempt attempt) {
		try {
			Runnable decorated = this.decorator.decorate(() -> run(attempt));
			if (decorated == null) {
				throw new AsynqException("The TaskDecorator returned null");
			}
			decorated.run();
			if (!attempt.hasBegun() && !attempt.isCancelled()) {
				throw new AsynqException("The TaskDecorator returned without running the task");
			}
		}
		catch (Throwable ex) {
			if (!attempt.begin()) {
				// The handler was called, or the attempt has ended
				throw ex;
			}
			TaskMdc.put(attempt.message());
			finish(attempt, null, ex, this.observer.enterIfPossible(attempt));
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
			releaseUnnamed(attempt);
		}
		UserCode.rethrowIfFatal(error);
	}

	private void conclude(Attempt attempt, byte @Nullable [] result, @Nullable Throwable error) {
		attempt.enterPolicies();
		try {
			Outcome outcome = (error != null) ? this.decision.decide(attempt.leased(), error)
					: success(attempt.leased(), result);
			// From here on the outcome is fixed, even if the error handler fails or hangs
			attempt.decide(outcome);
			if (error != null) {
				this.observer.failed(attempt, error, outcome);
			}
			if (outcome instanceof Outcome.Postpone) {
				this.counters.postponed.increment();
			}
		}
		finally {
			attempt.leavePolicies();
			report(attempt);
		}
	}

	private static Outcome success(LeasedTask task, byte @Nullable [] result) {
		return (task.message().retentionSeconds() > 0) ? new Outcome.Completed(task, result) : new Outcome.Done(task);
	}

	private void report(Attempt attempt) {
		if (!attempt.claim()) {
			return;
		}
		Outcome outcome;
		try {
			outcome = withOutcome(attempt).requireOutcome();
			this.outcomes.report(attempt);
		}
		catch (Throwable ex) {
			// Out of memory: the heartbeater finds the attempt and retries
			attempt.giveUpClaim();
			throw ex;
		}
		// Redis may yet make another of it, if the task is cancelled
		this.observer.decided(attempt, outcome);
	}

	private void abort(Attempt attempt, Throwable cause, Runnable first, Runnable then) {
		if (!attempt.retain()) {
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
						releaseUnnamed(attempt);
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
				release(attempt);
			}
		}
	}

	/** What observes may hang, and must not keep a loop or a stop. */
	private void endObservation(Attempt attempt) {
		if (attempt.observation().isRunning()) {
			this.abortThreads.execute(attempt.observation()::end);
		}
	}

	private void releaseUnnamed(Attempt attempt) {
		try {
			release(attempt);
		}
		finally {
			TaskMdc.remove();
		}
	}

	private void callErrorHandlerOnly(Attempt attempt, Throwable error) {
		attempt.enterPolicies();
		try {
			this.observer.callErrorHandler(attempt, error);
		}
		finally {
			attempt.leavePolicies();
		}
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
