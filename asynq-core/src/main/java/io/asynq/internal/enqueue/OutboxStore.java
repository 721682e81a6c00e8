package io.asynq.internal.enqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Sends a task as often as needed and stores it once. */
public interface OutboxStore {

	/** Older tasks may have been sent before, and their mark may be gone. */
	Duration MAX_AGE = Duration.ofDays(7);

	/** How long tasks may be sent once their sending has begun. */
	Duration SENDING_TIME = Duration.ofMinutes(2);

	/** Does not call Redis. */
	OutboxTask pack(EnqueueRequest request, String mark);

	/** Does not call Redis. */
	EnqueueRequest unpack(OutboxTask task);

	/**
	 * Deleted marks stay for twice the {@link #SENDING_TIME}, in case a relay that lost
	 * its tasks without noticing still sends them.
	 */
	Begun begin(String queue, Collection<String> deleted);

	/**
	 * Does nothing and answers nothing if {@code until} is over by Redis's clock: from
	 * then on others may send these tasks.
	 */
	List<OutboxAnswer> send(String queue, List<OutboxTask> tasks, Instant until);

	/** If {@code marksEnd}, the next calls must let marks expire. */
	record Begun(Instant time, boolean marksEnd) {
	}

}
