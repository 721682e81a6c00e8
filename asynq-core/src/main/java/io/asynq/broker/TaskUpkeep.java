package io.asynq.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.asynq.broker.message.EndedLease;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import org.jspecify.annotations.Nullable;

/**
 * What servers do for a queue's tasks besides running them: forward due tasks, delete
 * tasks whose retention is over, extend leases and find lost ones. Safe for concurrent
 * use, also between servers.
 */
public interface TaskUpkeep {

	/**
	 * Moves up to 100 due tasks of each of scheduled and retry to pending, or to their
	 * group.
	 * @return what was done
	 */
	Forwarded forward(String queue);

	/**
	 * Deletes up to {@code limit} completed tasks whose retention is over. Also continues
	 * an interrupted deletion of the queue.
	 * @param limit at least 1
	 * @return how many were deleted
	 */
	int deleteExpired(String queue, int limit);

	/**
	 * Returns how long a lease lasts.
	 * @return 30 s unless configured otherwise
	 */
	Duration leaseDuration();

	/**
	 * Extends leases to their full length. A lease that Redis does not have is not
	 * created; one that belongs to another attempt by now is lost. Each lease object
	 * records what became of it.
	 * @param queue the queue of all of them
	 */
	void extend(String queue, Collection<Lease> leases);

	/**
	 * Lists active tasks whose lease has ended or soon will, oldest first, with how long
	 * all servers together have seen it unmoved. A task that cannot be decoded is
	 * archived once its lease has ended and has not moved for the length of a lease; ids
	 * without a task are dropped. Neither is listed.
	 * @param ahead how far in the future a lease may end
	 * @param longestGap observations before a longer gap, in which no server looked, no
	 * longer count
	 * @param offset how many to skip
	 * @param limit how many at most
	 */
	EndedLease.Page ending(String queue, Duration ahead, Duration longestGap, int offset, int limit);

	/**
	 * Takes over tasks whose lease has ended, unless it was extended meanwhile. What the
	 * former holder reports later is ignored.
	 * @param ended the leases as they were listed, with their new crash records
	 * @return those that were taken over, for the caller to end
	 */
	List<LeasedTask> claim(String queue, Collection<EndedLease> ended);

	/** Lists active ids that have no lease. */
	List<String> withoutLease(String queue);

	/**
	 * Gives a lease to active ids that still have none. If it has ended already, recovery
	 * finds them.
	 * @param length how long it lasts, zero or less for one that has ended
	 * @return how many got one
	 */
	int attachLease(String queue, Collection<String> ids, Duration length);

	/**
	 * The result of one forwarding call.
	 *
	 * @param moved how many tasks are pending or grouped now
	 * @param more whether more were due than one call moves
	 * @param nextDue when the next scheduled or retry task is due, {@code null} if there
	 * is none
	 * @param now the present by Redis's clock, which due times go by
	 */
	record Forwarded(int moved, boolean more, @Nullable Instant nextDue, Instant now) {
	}

}
