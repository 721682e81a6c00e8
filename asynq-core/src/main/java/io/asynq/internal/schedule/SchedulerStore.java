package io.asynq.internal.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.fleet.SchedulerEntrySnapshot;
import io.asynq.internal.redis.ServerIdentity;

public interface SchedulerStore {

	/**
	 * A fire belongs to the first scheduler that asks, even if its task is refused;
	 * asking again gives the same answer.
	 */
	boolean enqueue(EnqueueRequest request, Fire fire);

	/** Records a fire without a task as the last one, unless a later one is known. */
	void pass(String queue, Fire fire);

	/** Records {@code first} if no fire is known, from when on fires count as missed. */
	Instant lastFire(String queue, String entry, Instant first);

	/** The entry has then missed nothing when it comes back. */
	void forgetFires(String queue, String entry);

	void write(ServerIdentity scheduler, List<SchedulerEntrySnapshot> entries, Duration ttl);

	/** Keeps the latest thousand, for 90 days after the last. */
	void recordEnqueued(String entry, String taskId, Instant at);

	/** Spares entries that another live scheduler lists, and returns the others. */
	Set<String> forget(ServerIdentity scheduler, Collection<String> entries);

	void clear(ServerIdentity scheduler);

}
