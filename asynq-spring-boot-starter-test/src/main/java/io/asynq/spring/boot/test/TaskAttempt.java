package io.asynq.spring.boot.test;

import java.time.Duration;

import io.asynq.event.TaskOutcome;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.Outcome;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler, and how it ended. AssertJ's {@code assertThat(attempt)} offers
 * {@link TaskAttemptAssert its own assertions}.
 *
 * @param taskId the task's id
 * @param queue its queue
 * @param type its type
 * @param retried how often it had been retried before this attempt
 * @param outcome how the attempt ended
 * @param error what the handler, an interceptor or the conversion of the payload has
 * thrown, {@code null} if nothing
 * @param delay how long until the next attempt, {@code null} if there is none
 * @param result what the handler returned, as stored; {@code null} if nothing is stored:
 * the task has no retention, or was not successful
 */
public record TaskAttempt(String taskId, String queue, String type, int retried, TaskOutcome outcome,
		@Nullable Throwable error, @Nullable Duration delay,
		byte @Nullable [] result) implements AssertProvider<TaskAttemptAssert> {

	static TaskAttempt of(Attempt attempt, Outcome outcome) {
		TaskMessage message = attempt.message();
		Throwable error = attempt.error();
		byte[] result = (outcome instanceof Outcome.Completed completed) ? completed.result() : null;
		Duration delay = (outcome instanceof Outcome.Retry retry) ? retry.due().delay()
				: (outcome instanceof Outcome.Postpone postpone) ? postpone.due().delay() : null;
		return new TaskAttempt(message.id(), message.queue(), message.type(), message.retried(), kind(outcome, error),
				error, delay, result);
	}

	/** Called by AssertJ. */
	@Override
	public TaskAttemptAssert assertThat() {
		return new TaskAttemptAssert(this);
	}

	/** Shows no result and no stack. */
	@Override
	public String toString() {
		return "attempt " + (this.retried + 1) + " at task " + this.taskId + " (" + this.type + ") in queue "
				+ this.queue + ": " + this.outcome.value() + ((this.delay != null) ? ", again in " + this.delay : "")
				+ ((this.error != null) ? ", " + this.error : "");
	}

	private static TaskOutcome kind(Outcome outcome, @Nullable Throwable error) {
		if (outcome instanceof Outcome.Retry) {
			return TaskOutcome.RETRIED;
		}
		if (outcome instanceof Outcome.Postpone || outcome instanceof Outcome.Unhandled) {
			return TaskOutcome.POSTPONED;
		}
		if (outcome instanceof Outcome.Archive) {
			return TaskOutcome.ARCHIVED;
		}
		if (outcome instanceof Outcome.Requeue) {
			return TaskOutcome.REQUEUED;
		}
		return (error != null) ? TaskOutcome.REVOKED : TaskOutcome.SUCCEEDED;
	}

}
