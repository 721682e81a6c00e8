package io.asynq.spring.boot.test;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.handler.TaskMux;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Waker;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.AttemptObserver;
import io.asynq.internal.worker.Decision;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.MissingHandlers;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.Outcomes;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.internal.worker.TaskExecution;
import io.asynq.internal.worker.TaskFlow;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts in the caller's thread, as a server's worker does; a handler that is past
 * its deadline is interrupted, and another thread concludes its attempt. Used by one
 * thread at a time.
 */
final class AttemptRunner implements Outcomes {

	private final RecordedTasks tasks;

	private final Clock clock;

	private long sequence;

	private final MissingHandlers missing;

	private final TaskEvents events;

	private final TaskExecution execution;

	/** Not always the one that was decided. */
	private volatile @Nullable Outcome last;

	AttemptRunner(RecordedTasks tasks, TaskMux handlers, ServerOptions options, ServerPolicies policies,
			Observers observers, Clock clock) {
		this.tasks = tasks;
		this.clock = clock;
		this.missing = new MissingHandlers(handlers, options, new Waker());
		this.events = observers.events();
		this.execution = new TaskExecution(handlers, policies.decorator(),
				new AttemptObserver(policies.errors(), options.logFailures(), this.events, observers.observations(),
						policies.contexts()),
				new Decision(policies.retryDelay(), policies.failures(), handlers::retry, this.missing,
						options.cancelMode()),
				this, new ServerCounters(options.queues().weights().keySet()),
				new TaskFlow(false, 1, () -> 0, System::nanoTime), (attempt) -> true, (queue) -> {
				}, new LoopErrorLog());
	}

	TaskAttempt run(LeasedTask task) {
		Attempt attempt = new Attempt(task, this.sequence++, this.clock.instant(), this.tasks::writeResult);
		CountDownLatch left = new CountDownLatch(1);
		attempt.start(left::countDown);
		CompletableFuture<Void> returned = endAtDeadline(attempt);
		try {
			this.execution.work(attempt);
		}
		finally {
			returned.complete(null);
		}
		await(left, attempt);
		Outcome outcome = this.last;
		this.last = null;
		if (outcome == null) {
			throw new IllegalStateException("The attempt has ended without an outcome");
		}
		return TaskAttempt.of(attempt, outcome);
	}

	@Override
	public void report(Attempt attempt) {
		Outcome outcome = attempt.requireOutcome();
		Outcome applied = this.tasks.end(outcome);
		this.last = (applied != null) ? applied : outcome;
		if (applied instanceof Outcome.Unhandled unhandled) {
			// No other server has a handler
			this.missing.note(unhandled.message().queue(), Map.of(unhandled.message().type(), 1L));
		}
		if (applied != null) {
			applied.tell(this.events, attempt.facts(), attempt.error());
		}
	}

	@Override
	public void forget(Attempt attempt) {
		// No lease is lost
	}

	/** By the time that really passes. */
	private CompletableFuture<Void> endAtDeadline(Attempt attempt) {
		CompletableFuture<Void> returned = new CompletableFuture<>();
		long left = Math.max(0, attempt.remaining().toNanos());
		returned.orTimeout(left, TimeUnit.NANOSECONDS).whenComplete((nothing, late) -> {
			if (late != null) {
				this.execution.abort(attempt, new TaskDeadlineExceededException());
			}
		});
		return returned;
	}

	/** For the thread that concludes an attempt that was over its deadline. */
	private static void await(CountDownLatch left, Attempt attempt) {
		try {
			left.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the TaskErrorHandler or a policy works on the end of "
					+ attempt + ", which was over its deadline", ex);
		}
	}

}
