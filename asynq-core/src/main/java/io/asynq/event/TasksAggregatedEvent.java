package io.asynq.event;

/**
 * Tasks of a group became one task.
 *
 * @param facts the task that they became, which is stored
 * @param members how many tasks it replaces
 */
public record TasksAggregatedEvent(TaskFacts facts, String group, int members) implements TaskEvent {
}
