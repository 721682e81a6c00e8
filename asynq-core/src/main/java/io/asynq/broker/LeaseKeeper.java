package io.asynq.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Extends leases and finds those that were lost. Safe for concurrent use.
 */
public interface LeaseKeeper {

	/**
	 * Returns how long a lease lasts.
	 * @return 30 s unless configured otherwise
	 */
	Duration leaseDuration();

	/**
	 * Gives leases their full time again. A lease that Redis does not have is not
	 * created. Each lease object notes its new end.
	 * @param queue the queue of all of them
	 * @param leases the leases
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void extend(String queue, Collection<Lease> leases);

	/**
	 * Lists active tasks whose lease ends at or before a time, oldest first. What cannot
	 * be decoded is archived once its lease has ended, ids without a task are dropped;
	 * neither is listed.
	 * @param queue the queue
	 * @param until the time, which may lie ahead
	 * @param offset so many are passed over
	 * @param limit at most so many
	 * @return the leases
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	EndedLeases ending(String queue, Instant until, int offset, int limit);

	/**
	 * Takes tasks out of the hands of whoever let their lease end, unless it was extended
	 * meanwhile: what the former holder says of them later changes nothing.
	 * @param queue the queue
	 * @param ended the leases as they were listed, with what is to be noted as their
	 * number of crashes
	 * @return those that were taken, to be ended by the caller
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<LeasedTask> claim(String queue, Collection<EndedLease> ended);

	/**
	 * Lists active ids that have no lease.
	 * @param queue the queue
	 * @return their ids
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<String> withoutLease(String queue);

	/**
	 * Gives active ids that still have no lease one; if it has ended, recovery finds
	 * them.
	 * @param queue the queue
	 * @param ids the ids
	 * @param expiresAt the end
	 * @return how many got one
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	int attachLease(String queue, Collection<String> ids, Instant expiresAt);

}
