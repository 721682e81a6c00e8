package io.asynq.internal.cancel;

import java.util.function.Predicate;

import io.asynq.handler.TaskCanceledException;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.ActiveTasks;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.TakenTasks;
import io.asynq.internal.worker.TaskExecution;
import io.asynq.internal.worker.TaskMdc;
import org.slf4j.Logger;

/**
 * Also ends attempts that have not begun because their tasks are in the prefetch buffer.
 */
public final class Cancellations {

	private static final Logger logger = OneLineLogger.of(Cancellations.class);

	private final TakenTasks taken;

	private final ActiveTasks active;

	private final TaskExecution execution;

	public Cancellations(TakenTasks taken, ActiveTasks active, TaskExecution execution) {
		this.taken = taken;
		this.active = active;
		this.execution = execution;
	}

	/**
	 * @param queues tells which queues are meant as far as known: messages name none
	 */
	public void cancel(String taskId, Predicate<String> queues) {
		for (Attempt attempt : this.taken
			.takeOut((task) -> task.message().id().equals(taskId) && queues.test(task.message().queue()))) {
			abort(attempt);
			this.execution.release(attempt);
		}
		this.active.withId(taskId).stream().filter((attempt) -> queues.test(attempt.queue())).forEach(this::abort);
	}

	private void abort(Attempt attempt) {
		TaskMdc.during(attempt.message(), () -> logger.info("Canceling {}", attempt));
		this.execution.abort(attempt, new TaskCanceledException());
	}

}
