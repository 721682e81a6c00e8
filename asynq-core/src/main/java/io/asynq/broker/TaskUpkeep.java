package io.asynq.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.asynq.broker.message.EndedLease;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import org.jspecify.annotations.Nullable;

public interface TaskUpkeep {

	/**
	 * Moves up to 100 due tasks of each of scheduled and retry to pending, or to their
	 * group.
	 */
	Forwarded forward(String queue);

	/** Also continues an interrupted deletion of the queue. */
	int deleteExpired(String queue, int limit);

	Duration leaseDuration();

	/**
	 * Never creates a lease that Redis does not have; each lease object records what
	 * became of it.
	 */
	void extend(String queue, Collection<Lease> leases);

	/**
	 * Lists active tasks whose lease has ended or soon will, oldest first; one that
	 * cannot be decoded is archived once its ended lease has not moved for a lease's
	 * length, and observations before a gap of {@code longestGap} do not count.
	 */
	EndedLease.Page ending(String queue, Duration ahead, Duration longestGap, int offset, int limit);

	/**
	 * Takes over tasks whose lease was not extended meanwhile; what the former holder
	 * reports later is ignored.
	 */
	List<LeasedTask> claim(String queue, Collection<EndedLease> ended);

	List<String> withoutLease(String queue);

	/**
	 * Skips ids that have a lease by now; a length of zero or less gives one that
	 * recovery finds at once.
	 */
	int attachLease(String queue, Collection<String> ids, Duration length);

	/**
	 * {@code now} is by Redis's clock, which due times go by.
	 */
	record Forwarded(int moved, boolean more, @Nullable Instant nextDue, Instant now) {
	}

}
