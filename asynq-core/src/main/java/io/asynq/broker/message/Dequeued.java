package io.asynq.broker.message;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The tasks that one call took from one queue.
 *
 * @param tasks the tasks, next one first
 * @param exhausted whether the queue has no more tasks now because it is empty or paused;
 * {@code false} also when a size limit ended the call early, or the call took exactly as
 * many as requested
 * @param waited how long the first of them has been pending, {@code null} if it is
 * unknown
 * @param left how many tasks are still pending at least, 0 also if that is unknown
 * @param paused whether the queue is known to be paused
 */
public record Dequeued(List<LeasedTask> tasks, boolean exhausted, @Nullable Duration waited, long left,
		boolean paused) {

	/** Creates an answer that does not tell how long tasks have been pending. */
	public Dequeued(List<LeasedTask> tasks, boolean exhausted) {
		this(tasks, exhausted, null);
	}

	/** Creates an answer that does not tell how many tasks are still pending. */
	public Dequeued(List<LeasedTask> tasks, boolean exhausted, @Nullable Duration waited) {
		this(tasks, exhausted, waited, 0, false);
	}

}
