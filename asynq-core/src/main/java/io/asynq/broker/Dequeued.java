package io.asynq.broker;

import java.util.List;

/**
 * What one call took from one queue.
 *
 * @param tasks the tasks, next one first
 * @param exhausted whether the queue has nothing more to give now: it is empty or paused.
 * {@code false} also when a size limit ended the call early, or it has given exactly as
 * many as it was asked for
 */
public record Dequeued(List<LeasedTask> tasks, boolean exhausted) {
}
