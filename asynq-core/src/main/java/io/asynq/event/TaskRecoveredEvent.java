package io.asynq.event;

import io.asynq.TaskState;

/**
 * This server has brought back a task of a server that is gone. If this counts as a
 * failure, its events follow.
 *
 * @param state retry, archived, or pending if its handler had not begun
 */
public record TaskRecoveredEvent(TaskFacts facts, TaskState state) implements TaskEvent {
}
