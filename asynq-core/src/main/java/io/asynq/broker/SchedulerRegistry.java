package io.asynq.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Where schedulers tell what they have, and what became of it. Safe for concurrent use.
 */
public interface SchedulerRegistry {

	/**
	 * Writes or renews the list of a scheduler's entries.
	 * @param scheduler which one
	 * @param entries its entries
	 * @param ttl for how long it counts as alive; rounded up to seconds
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void write(ServerIdentity scheduler, List<SchedulerEntrySnapshot> entries, Duration ttl);

	/**
	 * Notes that a task was enqueued for an entry; the thousand latest are kept, for 90
	 * days after the last.
	 * @param entry the entry's id
	 * @param taskId the task
	 * @param at when
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void recordEnqueued(String entry, String taskId, Instant at);

	/**
	 * Deletes what was noted for entries, unless another live scheduler lists them.
	 * @param scheduler who has them no more
	 * @param entries the entries' ids
	 * @return the ids of those that no other has
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Set<String> forget(ServerIdentity scheduler, Collection<String> entries);

	/**
	 * Removes the list of a scheduler's entries.
	 * @param scheduler which one
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void clear(ServerIdentity scheduler);

}
