package io.asynq.spring.boot.test;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.handler.TaskMux;
import io.asynq.internal.broker.Broker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.lifecycle.Waker;
import io.asynq.internal.worker.ActiveTasks;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.AttemptTimes;
import io.asynq.internal.worker.Beginnings;
import io.asynq.internal.worker.Decision;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.MissingHandlers;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeLanes;
import io.asynq.internal.worker.OutcomeReporter;
import io.asynq.internal.worker.OutcomeSender;
import io.asynq.internal.worker.Outcomes;
import io.asynq.internal.worker.PendingOutcome;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.worker.Syncer;
import io.asynq.internal.worker.TaskCompleter;
import io.asynq.internal.worker.TaskExecution;
import io.asynq.internal.worker.TaskFlow;
import io.asynq.internal.worker.AttemptObserver;
import io.asynq.internal.worker.Worker;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;

/**
 * Runs attempts in the caller's thread, with the parts of a server that a task passes on
 * its way from its lease to its outcome. Outcomes are written at once, so that none of
 * the server's loops is needed. A handler that is past its deadline is interrupted, and
 * another thread concludes its attempt. Used by one thread at a time.
 */
final class AttemptRunner {

	private static final int LIMIT = 256;

	private final TaskCompleter completer;

	private final Clock clock;

	private final ActiveTasks active = new ActiveTasks();

	private final AtomicLong sequence = new AtomicLong();

	private final Deadlines deadlines;

	private final Worker worker;

	private final WrittenOutcomes outcomes;

	AttemptRunner(Broker broker, TaskMux handlers, ServerOptions options, ServerPolicies policies, Observers observers,
			Clock clock) {
		MissingHandlers missing = new MissingHandlers(handlers, options, new Waker());
		this.outcomes = new WrittenOutcomes(broker.completer(), missing);
		this.completer = this.outcomes;
		this.clock = clock;
		Collection<String> queues = options.queues().weights().keySet();
		Loops loops = new Loops(() -> false, new LoopErrorLog(),
				new StopBudget(Duration.ZERO, Duration.ZERO, Duration.ZERO));
		ServerCounters counters = new ServerCounters(queues);
		TaskEvents events = observers.events();
		Lanes lanes = Lanes.single();
		OutcomeSender sender = new OutcomeSender(this.completer, this.active, counters, events);
		OutcomeReporter reporter = new OutcomeReporter(
				new OutcomeLanes(lanes, sender, new Syncer(sender, lanes, loops), LIMIT), this.active, LIMIT, loops);
		TaskExecution execution = new TaskExecution(handlers,
				new AttemptObserver(policies.errors(), options.logFailures(), events, observers.observations(),
						policies.contexts()),
				new Decision(policies.retryDelay(), policies.failures(), handlers::retry, missing,
						options.cancelMode()),
				new WrittenAtOnce(reporter), counters);
		this.deadlines = new Deadlines(execution);
		this.worker = new Worker(new Beginnings(this.completer, reporter, (queue) -> {
		}, loops.errors()), policies.decorator(), execution, new TaskFlow(false, 1, () -> 0, System::nanoTime));
	}

	ActiveTasks active() {
		return this.active;
	}

	TaskAttempt run(LeasedTask task) {
		Attempt attempt = new Attempt(task,
				AttemptTimes.of(task.message(), this.sequence.getAndIncrement(), this.clock.instant()), this.completer);
		CountDownLatch left = new CountDownLatch(1);
		this.active.add(attempt, left::countDown);
		try (Deadlines.Watch watch = this.deadlines.watch(attempt)) {
			this.worker.work(attempt);
		}
		await(left, attempt);
		Outcome outcome = this.outcomes.take();
		byte[] result = (outcome instanceof Outcome.Completed completed) ? completed.result() : null;
		return TaskAttempt.of(attempt, outcome, result);
	}

	/**
	 * Waits for the thread that concludes an attempt that was over its deadline.
	 */
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

	/**
	 * Writes outcomes in the thread that reports them.
	 */
	private static final class WrittenAtOnce implements Outcomes {

		private final OutcomeReporter reporter;

		WrittenAtOnce(OutcomeReporter reporter) {
			this.reporter = reporter;
		}

		@Override
		public void report(Attempt attempt, Outcome outcome) {
			this.reporter.reportNow(List.of(new PendingOutcome(attempt, outcome, false)));
		}

		@Override
		public void forget(Attempt attempt) {
			this.reporter.forget(attempt);
		}

	}

}
