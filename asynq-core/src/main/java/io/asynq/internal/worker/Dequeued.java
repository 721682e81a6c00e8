package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Also not {@code exhausted} if a size limit ended the call, or it took as many as
 * requested; {@code left} is a lower bound.
 */
public record Dequeued(List<LeasedTask> tasks, boolean exhausted, @Nullable Duration waited, long left,
		boolean paused) {

	public Dequeued(List<LeasedTask> tasks, boolean exhausted) {
		this(tasks, exhausted, null);
	}

	public Dequeued(List<LeasedTask> tasks, boolean exhausted, @Nullable Duration waited) {
		this(tasks, exhausted, waited, 0, false);
	}

}
