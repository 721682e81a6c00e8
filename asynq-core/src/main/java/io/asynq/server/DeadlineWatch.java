package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.TaskDeadlineExceededException;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends attempts at their deadline, and reports handlers that go on long after their
 * attempt has ended. One sleep until the nearest deadline serves all tasks: there is no
 * timer per task.
 */
final class DeadlineWatch extends PeriodicComponent {

	private static final Logger logger = LoggerFactory.getLogger(DeadlineWatch.class);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final ServerRuntime runtime;

	private final TaskExecution execution;

	/**
	 * Attempts that have ended while their handler runs, with the nano time of notice.
	 */
	private final Map<Attempt, Long> stragglers = new ConcurrentHashMap<>();

	private volatile Instant nextLook = Instant.MIN;

	DeadlineWatch(ServerRuntime runtime, TaskExecution execution) {
		super(ServerPhase.DEADLINE_WATCH, runtime.autoStartup(), runtime.errors());
		this.runtime = runtime;
		this.execution = execution;
	}

	/**
	 * Sees to it that the deadline of a new attempt is not slept through.
	 * @param attempt the attempt
	 */
	void watch(Attempt attempt) {
		if (attempt.deadline().isBefore(this.nextLook)) {
			wake();
		}
	}

	@Override
	protected Duration runOnce() {
		// Attempts that come while this looks around wake it again
		this.nextLook = Instant.MAX;
		Instant now = this.runtime.clock().instant();
		Instant next = now.plus(LONGEST_PAUSE);
		for (Attempt attempt : this.runtime.active().running()) {
			if (attempt.isCancelled()) {
				checkStraggler(attempt);
			}
			else if (!attempt.deadline().isAfter(now)) {
				this.execution.abort(attempt, new TaskDeadlineExceededException());
			}
			else if (attempt.deadline().isBefore(next)) {
				next = attempt.deadline();
			}
		}
		this.stragglers.keySet().removeIf((attempt) -> attempt.thread() == null);
		this.nextLook = next;
		return Duration.between(now, next).plusMillis(1);
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
