package io.asynq.internal.cancel;

import java.util.List;
import java.util.function.Predicate;

import io.asynq.handler.TaskCanceledException;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.ActiveTasks;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.HeldTasks;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.TakenTasks;
import io.asynq.internal.worker.TaskExecution;
import io.asynq.internal.worker.TaskMdc;
import org.slf4j.Logger;

/**
 * Also ends attempts that have not begun because their tasks are in the prefetch buffer.
 */
public final class Cancellations {

	private static final Logger logger = OneLineLogger.of(Cancellations.class);

	private final HeldTasks held;

	private final TakenTasks taken;

	private final ActiveTasks active;

	private final TaskExecution execution;

	public Cancellations(HeldTasks held, TakenTasks taken, ActiveTasks active, TaskExecution execution) {
		this.held = held;
		this.taken = taken;
		this.active = active;
		this.execution = execution;
	}

	/**
	 * @param queues tells which queues are meant as far as known: messages name none
	 */
	public void cancel(String taskId, Predicate<String> queues) {
		List<LeasedTask> waiting = this.held
			.takeIf((task) -> task.message().id().equals(taskId) && queues.test(task.message().queue()));
		List<Attempt> attempts = this.taken.attempts(waiting);
		// All of them first: an error must not lose the others
		attempts.forEach((attempt) -> this.active.add(attempt, () -> this.taken.release(attempt.leased())));
		for (Attempt attempt : attempts) {
			abort(attempt);
			this.execution.leave(attempt);
		}
		this.active.withId(taskId).stream().filter((attempt) -> queues.test(attempt.queue())).forEach(this::abort);
	}

	private void abort(Attempt attempt) {
		TaskMdc.during(attempt.message(), () -> logger.info("Canceling {}", attempt));
		this.execution.abort(attempt, new TaskCanceledException());
	}

}
