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

public interface SchedulerStore {

	/**
	 * Stores a fire's task unless another scheduler has asked for that fire before, even
	 * if it was refused; the same scheduler gets the same answer again.
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

	/**
	 * Deletes the history of entries unless another live scheduler lists them, and
	 * returns those deleted.
	 */
	Set<String> forget(ServerIdentity scheduler, Collection<String> entries);

	void clear(ServerIdentity scheduler);

}
