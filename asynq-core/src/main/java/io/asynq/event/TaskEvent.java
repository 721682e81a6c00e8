package io.asynq.event;

/**
 * Something that has happened to a task, as far as this application has a part in it.
 * Events of outcomes are told when Redis has taken the outcome. Immutable, except for the
 * payload's bytes.
 */
public sealed interface TaskEvent permits TaskEnqueuedEvent, TaskNotEnqueuedEvent, TaskStartedEvent, TaskSucceededEvent,
		TaskFailedEvent, TaskRetriedEvent, TaskPostponedEvent, TaskArchivedEvent, TaskExhaustedEvent, TaskRevokedEvent,
		TaskCancelledEvent, TaskRecoveredEvent, TaskLeaseLostEvent, TasksAggregatedEvent, TaskStuckEvent {

	/**
	 * Returns the task as it was at the time of the event.
	 */
	TaskFacts facts();

}
