package io.asynq.event;

/**
 * This server has lost the lease of a task during an attempt: nothing is written about
 * the attempt, and the task is recovered.
 */
public record TaskLeaseLostEvent(TaskFacts facts) implements TaskEvent {
}
