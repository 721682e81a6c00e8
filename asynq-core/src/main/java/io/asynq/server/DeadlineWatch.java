package io.asynq.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.TaskDeadlineExceededException;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Ends attempts at their deadline, and reports handlers that go on long after their
 * attempt has ended, and error handlers that do not return. One sleep until the nearest
 * deadline serves all tasks: there is no timer per task.
 */
final class DeadlineWatch extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(DeadlineWatch.class);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final ServerRuntime runtime;

	private final TaskExecution execution;

	/**
	 * Attempts that have ended while their handler runs, with the nano time of notice.
	 */
	private final Map<Attempt, Long> stragglers = new ConcurrentHashMap<>();

	private volatile long nextLook = System.nanoTime();

	DeadlineWatch(ServerRuntime runtime, TaskExecution execution) {
		super(ServerPhase.DEADLINE_WATCH, runtime.loops());
		this.runtime = runtime;
		this.execution = execution;
	}

	/**
	 * Sees to it that the deadline of a new attempt is not slept through.
	 * @param attempt the attempt
	 */
	void watch(Attempt attempt) {
		if (attempt.times().endNanos() - this.nextLook < 0) {
			wake();
		}
	}

	@Override
	protected Duration runOnce() {
		// Attempts that come while this looks around wake it again
		long now = System.nanoTime();
		this.nextLook = now + Long.MAX_VALUE / 2;
		long pause = LONGEST_PAUSE.toNanos();
		for (Attempt attempt : this.runtime.active().running()) {
			if (attempt.conclusion().isOverdue(this.runtime.options().stuckHandlerTimeout())) {
				concludeOverdue(attempt);
			}
			if (attempt.isCancelled()) {
				checkStraggler(attempt);
			}
			else if (attempt.times().left(now).toNanos() <= 0) {
				this.execution.abort(attempt, new TaskDeadlineExceededException());
			}
			else {
				pause = Math.min(pause, attempt.times().left(now).toNanos());
			}
		}
		this.stragglers.keySet().removeIf((attempt) -> attempt.thread() == null);
		this.nextLook = now + pause;
		return Duration.ofNanos(pause).plusMillis(1);
	}

	/**
	 * Writes an outcome that the user's policies or error handler keep back.
	 */
	private void concludeOverdue(Attempt attempt) {
		Thread thread = attempt.conclusion().thread();
		if (thread != null) {
			Exception stack = new Exception("where it is, in thread " + thread.getName());
			stack.setStackTrace(thread.getStackTrace());
			logger.warn(
					"The TaskErrorHandler or a policy has not returned for {} after the attempt at {} ended: {}, but the"
							+ " worker is not free until it returns",
					this.runtime.options().stuckHandlerTimeout(), attempt,
					attempt.conclusion().isTaken() ? "it is interrupted" : "the outcome is written now", stack);
		}
		// Else it waits for one of the threads that others keep
		this.execution.settle(attempt);
		attempt.conclusion().interrupt();
	}

	private void checkStraggler(Attempt attempt) {
		Duration patience = this.runtime.options().stuckHandlerTimeout();
		long now = System.nanoTime();
		Long since = this.stragglers.putIfAbsent(attempt, now);
		if (since == null || since == Long.MAX_VALUE || now - since < patience.toNanos()) {
			return;
		}
		Thread thread = attempt.thread();
		if (thread != null) {
			this.stragglers.put(attempt, Long.MAX_VALUE);
			Throwable cause = attempt.cancellation();
			Exception stack = new Exception("where the handler is, in thread " + thread.getName());
			stack.setStackTrace(thread.getStackTrace());
			logger.warn(
					"The handler of {} still runs {} after its attempt ended ({}): it ignores the interrupt, "
							+ "and its worker is not free",
					attempt, patience, (cause != null) ? cause.getMessage() : "", stack);
			this.runtime.counters().stuckHandlers.increment();
		}
	}

}
