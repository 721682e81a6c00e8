package io.asynq.broker.message;

import java.util.List;

/**
 * The tasks that one call took from one queue.
 *
 * @param tasks the tasks, next one first
 * @param exhausted whether the queue has no more tasks now because it is empty or paused;
 * {@code false} also when a size limit ended the call early, or the call took exactly as
 * many as requested
 */
public record Dequeued(List<LeasedTask> tasks, boolean exhausted) {
}
