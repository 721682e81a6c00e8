package io.asynq.broker.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.asynq.broker.message.EnqueueRequest;

/**
 * What an outbox and its relay need: sending a task as often as needed and storing it
 * once. Safe for concurrent use.
 */
public interface OutboxStore {

	/**
	 * How old a task may be when it is sent. Older ones may have been sent before, and
	 * their mark may be gone.
	 */
	Duration MAX_AGE = Duration.ofDays(7);

	/** How long tasks may be sent once their sending has begun. */
	Duration SENDING_TIME = Duration.ofMinutes(2);

	/**
	 * Converts a task to what is kept until it is sent. Does not call Redis.
	 * @param mark see {@link OutboxTask#mark()}
	 */
	OutboxTask pack(EnqueueRequest request, String mark);

	/**
	 * Converts a task back. Does not call Redis.
	 * @throws io.asynq.BrokerException if its message cannot be decoded
	 */
	EnqueueRequest unpack(OutboxTask task);

	/**
	 * Begins the sending of tasks to a queue, and has the marks of others end: those that
	 * nobody will send any more, but for one who has lost them without noticing. They
	 * stay for twice the {@link #SENDING_TIME}.
	 * @param deleted such marks
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Begun begin(String queue, Collection<String> deleted);

	/**
	 * Stores tasks of one queue in their order, each by itself, unless they were answered
	 * before.
	 * @param tasks as many as fit into one call
	 * @param until until when the caller is known to be the only one that has these
	 * tasks, by the clock of their Redis: the {@link #SENDING_TIME} after a
	 * {@link #begin} at most
	 * @return one answer per task; empty if {@code until} was over, and nothing was done
	 * @throws io.asynq.BrokerUnavailableException if Redis cannot be reached: the tasks
	 * may or may not be stored, and can be sent again
	 * @throws io.asynq.BrokerException if Redis fails, or the marks have the wrong type
	 */
	List<OutboxAnswer> send(String queue, List<OutboxTask> tasks, Instant until);

	/**
	 * What the Redis of a queue says before tasks are sent to it.
	 *
	 * @param time its time
	 * @param marksEnd whether marks are about to end, which the next calls see to
	 */
	record Begun(Instant time, boolean marksEnd) {
	}

}
