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
	 * Returns the time of the Redis that has a queue.
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Instant time(String queue);

	/**
	 * Stores tasks of one queue in their order, each by itself, unless they were answered
	 * before.
	 * @param tasks as many as fit into one call
	 * @param until until when the caller is known to be the only one that has these
	 * tasks, in the {@link #time} of their queue
	 * @return one answer per task; empty if {@code until} was over, and nothing was done
	 * @throws io.asynq.BrokerUnavailableException if Redis cannot be reached: the tasks
	 * may or may not be stored, and can be sent again
	 * @throws io.asynq.BrokerException if Redis fails, or the marks have the wrong type
	 */
	List<OutboxAnswer> send(String queue, List<OutboxTask> tasks, Instant until);

	/**
	 * Deletes the marks of tasks that will not be sent again.
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void forget(String queue, Collection<String> marks);

}
