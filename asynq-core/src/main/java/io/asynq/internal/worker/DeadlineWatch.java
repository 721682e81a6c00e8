package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.event.TaskEvent;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Ends attempts at their deadline, and reports handlers and error handlers that do not
 * return, with one loop instead of a timer per task.
 */
public final class DeadlineWatch extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(DeadlineWatch.class);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private static final long REPORTED = Long.MAX_VALUE;

	private final TaskExecution execution;

	private final ActiveTasks active;

	private final ServerCounters counters;

	private final TaskEvents events;

	private final Duration patience;

	/** With the nano time when this was noticed, or that it was reported. */
	private final Map<Attempt, Long> stragglers = new ConcurrentHashMap<>();

	private volatile long nextLook = System.nanoTime();

	public DeadlineWatch(TaskExecution execution, ActiveTasks active, ServerCounters counters, TaskEvents events,
			Duration patience, Loops loops) {
		super(ServerPhase.DEADLINE_WATCH, loops);
		this.execution = execution;
		this.active = active;
		this.counters = counters;
		this.events = events;
		this.patience = patience;
	}

	/** Makes sure that the loop does not sleep past the deadline of a new attempt. */
	void watch(Attempt attempt) {
		if (attempt.endNanos() - this.nextLook < 0) {
			wake();
		}
	}

	public int hanging() {
		return (int) this.stragglers.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() == REPORTED && entry.getKey().handlerThread() != null)
			.count();
	}

	@Override
	protected Duration runOnce() {
		// Attempts that are added from here on wake the loop again
		long now = System.nanoTime();
		this.nextLook = now + Long.MAX_VALUE / 2;
		long pause = LONGEST_PAUSE.toNanos();
		for (Attempt attempt : this.active.running()) {
			if (attempt.isOverdue(this.patience)) {
				concludeOverdue(attempt);
			}
			if (attempt.isCancelled()) {
				checkStraggler(attempt);
			}
			else if (attempt.endNanos() - now <= 0) {
				this.execution.abort(attempt, new TaskDeadlineExceededException());
			}
			else {
				pause = Math.min(pause, attempt.endNanos() - now);
			}
		}
		this.stragglers.keySet().removeIf((attempt) -> attempt.handlerThread() == null);
		this.nextLook = now + pause;
		return Duration.ofNanos(pause).plusMillis(1);
	}

	/** The user's policies or error handler delay the outcome. */
	private void concludeOverdue(Attempt attempt) {
		Thread thread = attempt.policiesThread();
		if (thread != null) {
			TaskMdc.during(attempt.message(), () -> logger.warn(
					"The TaskErrorHandler or a policy has not returned {} after the attempt at {} ended: {}, but the"
							+ " worker is not free until it returns",
					this.patience, attempt, attempt.isClaimed() ? "it is interrupted" : "the outcome is written now",
					UserThread.where("it", thread)));
		}
		// Else the attempt waits for a thread that hanging error handlers occupy
		this.execution.settle(attempt);
		attempt.interruptPolicies();
	}

	private void checkStraggler(Attempt attempt) {
		long now = System.nanoTime();
		Long since = this.stragglers.putIfAbsent(attempt, now);
		if (since == null || since == REPORTED || now - since < this.patience.toNanos()) {
			return;
		}
		Thread thread = attempt.handlerThread();
		if (thread != null) {
			this.stragglers.put(attempt, REPORTED);
			Throwable cause = attempt.cancellation();
			Exception where = UserThread.where("the handler", thread);
			TaskMdc.during(attempt.message(),
					() -> logger.warn(
							"The handler of {} still runs {} after its attempt ended ({}): it ignores the interrupt "
									+ "and keeps its worker",
							attempt, this.patience, (cause != null) ? cause.getMessage() : "", where));
			attempt.giveUpHandler();
			this.counters.stuckHandlers.increment();
			if (this.events.isWanted(TaskEvent.Stuck.class)) {
				this.events.tell(new TaskEvent.Stuck(attempt.facts(), this.patience, where));
			}
		}
	}

}
