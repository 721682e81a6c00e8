package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;

import io.asynq.TaskState;
import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskArchivedEvent;
import io.asynq.event.TaskCancelledEvent;
import io.asynq.event.TaskExhaustedEvent;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskFailedEvent;
import io.asynq.event.TaskLeaseLostEvent;
import io.asynq.event.TaskPostponedEvent;
import io.asynq.event.TaskRecoveredEvent;
import io.asynq.event.TaskRetriedEvent;
import io.asynq.event.TaskRevokedEvent;
import io.asynq.event.TaskStartedEvent;
import io.asynq.event.TaskStuckEvent;
import io.asynq.event.TaskSucceededEvent;
import io.asynq.event.TasksAggregatedEvent;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * Makes nothing for events that nobody wants.
 */
public final class ServerEvents {

	private final TaskEvents events;

	public ServerEvents(TaskEvents events) {
		this.events = events;
	}

	public void started(Attempt attempt) {
		if (this.events.isWanted(TaskStartedEvent.class)) {
			this.events.tell(new TaskStartedEvent(attempt.facts()));
		}
	}

	public void cancelled(Attempt attempt) {
		if (this.events.isWanted(TaskCancelledEvent.class)) {
			this.events.tell(new TaskCancelledEvent(attempt.facts()));
		}
	}

	public void leaseLost(Attempt attempt) {
		if (this.events.isWanted(TaskLeaseLostEvent.class)) {
			this.events.tell(new TaskLeaseLostEvent(attempt.facts()));
		}
	}

	public void stuck(Attempt attempt, Duration patience, Exception where) {
		if (this.events.isWanted(TaskStuckEvent.class)) {
			this.events.tell(new TaskStuckEvent(attempt.facts(), patience, where));
		}
	}

	public void ended(Attempt attempt, Outcome outcome) {
		if (!this.events.isOn()) {
			return;
		}
		if (outcome instanceof Outcome.Retry || outcome instanceof Outcome.Archive) {
			failed(attempt.facts(), outcome, attempt.conclusion().error());
		}
		else if (outcome instanceof Outcome.Postpone postpone) {
			this.events.tell(new TaskPostponedEvent(attempt.facts(), postpone.due().delay()));
		}
		else if (!(outcome instanceof Outcome.Requeue) && !(outcome instanceof Outcome.Unhandled)) {
			done(attempt);
		}
	}

	public void recovered(Outcome outcome) {
		if (!this.events.isOn()) {
			return;
		}
		if (outcome instanceof Outcome.Done) {
			this.events.tell(new TaskRevokedEvent(outcome.message().facts(), null));
			return;
		}
		TaskState state = (outcome instanceof Outcome.Archive) ? TaskState.ARCHIVED
				: (outcome instanceof Outcome.Retry) ? TaskState.RETRY : TaskState.PENDING;
		TaskFacts facts = outcome.message().facts();
		this.events.tell(new TaskRecoveredEvent(facts, state));
		failed(facts, outcome, null);
	}

	public void aggregated(TaskMessage task, String group, int members) {
		if (this.events.isWanted(TasksAggregatedEvent.class)) {
			this.events.tell(new TasksAggregatedEvent(task.facts(), group, members));
		}
	}

	public void archived(List<TaskMessage> members, String error, @Nullable Throwable cause, ArchiveReason reason) {
		if (this.events.isOn()) {
			members.forEach((member) -> archived(member.facts(), error, cause, reason));
		}
	}

	private void done(Attempt attempt) {
		Throwable error = attempt.conclusion().error();
		if (error != null) {
			this.events.tell(new TaskRevokedEvent(attempt.facts(), error));
		}
		else if (this.events.isWanted(TaskSucceededEvent.class)) {
			this.events.tell(new TaskSucceededEvent(attempt.facts()));
		}
	}

	private void failed(TaskFacts facts, Outcome outcome, @Nullable Throwable error) {
		if (outcome instanceof Outcome.Retry retry) {
			if (retry.failure()) {
				this.events.tell(new TaskFailedEvent(facts, retry.error(), error));
			}
			this.events.tell(new TaskRetriedEvent(facts, retry.error(), retry.due().delay(), retry.failure()));
		}
		else if (outcome instanceof Outcome.Archive archive) {
			this.events.tell(new TaskFailedEvent(facts, archive.error(), error));
			archived(facts, archive.error(), error, archive.reason());
		}
	}

	private void archived(TaskFacts facts, String error, @Nullable Throwable cause, ArchiveReason reason) {
		this.events.tell(new TaskArchivedEvent(facts, error, cause, reason));
		if (reason.isExhaustion()) {
			this.events.tell(new TaskExhaustedEvent(facts, error, cause, reason));
		}
	}

}
