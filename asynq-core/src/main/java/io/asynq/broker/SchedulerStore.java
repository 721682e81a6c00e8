package io.asynq.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.asynq.broker.fleet.Fire;
import io.asynq.broker.fleet.SchedulerEntrySnapshot;
import io.asynq.broker.fleet.ServerIdentity;
import io.asynq.broker.message.EnqueueRequest;

/**
 * What schedulers need: storing each fire's task once among any number of schedulers, and
 * publishing their entries and the history of each. Safe for concurrent use.
 */
public interface SchedulerStore {

	/**
	 * Stores a fire's task unless another scheduler has asked for that fire before, even
	 * if it was refused.
	 * @return whether the task is stored; {@code false} if the fire is another
	 * scheduler's
	 * @throws io.asynq.AsynqException as {@link TaskEnqueuer#enqueue} says; the same
	 * again when the same scheduler asks again
	 */
	boolean enqueue(EnqueueRequest request, Fire fire);

	/**
	 * Records a fire that has no task as the last one, unless a later one is known.
	 * @param queue the queue of its entry's tasks
	 */
	void pass(String queue, Fire fire);

	/**
	 * Returns the last known fire of an entry; if there is none, records from when on
	 * fires count as missed.
	 * @param queue the queue of its tasks
	 * @param entry identity of the entry
	 * @param first what to record if none is known
	 * @return the last fire, or what was recorded instead
	 */
	Instant lastFire(String queue, String entry, Instant first);

	/**
	 * Forgets the last fire of an entry: it has missed nothing when it comes back.
	 * @param queue the queue of its tasks
	 * @param entry identity of the entry
	 */
	void forgetFires(String queue, String entry);

	/**
	 * Writes or renews the list of a scheduler's entries.
	 * @param ttl for how long it counts as alive; rounded up to seconds
	 */
	void write(ServerIdentity scheduler, List<SchedulerEntrySnapshot> entries, Duration ttl);

	/**
	 * Records that a task was enqueued for an entry. The latest thousand are kept, for 90
	 * days after the last.
	 * @param at when
	 */
	void recordEnqueued(String entry, String taskId, Instant at);

	/**
	 * Deletes the history of entries, unless another live scheduler lists them.
	 * @param scheduler the scheduler that no longer has them
	 * @param entries the entries' ids
	 * @return the ids of those that no other has
	 */
	Set<String> forget(ServerIdentity scheduler, Collection<String> entries);

	/** Removes the list of a scheduler's entries. */
	void clear(ServerIdentity scheduler);

}
