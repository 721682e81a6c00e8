package io.asynq.broker;

import java.time.Duration;
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
	 * created, and one that has passed into other hands is lost. Each lease object notes
	 * what became of it.
	 * @param queue the queue of all of them
	 * @param leases the leases
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void extend(String queue, Collection<Lease> leases);

	/**
	 * Lists active tasks whose lease has ended or soon will, oldest first, with what all
	 * servers together know of how long it has stood still. What cannot be decoded is
	 * archived once its lease has ended and stood still for a whole lease, ids without a
	 * task are dropped; neither is listed.
	 * @param queue the queue
	 * @param ahead how far ahead of now an end may lie
	 * @param longestGap what was seen before a longer time in which nobody looked counts
	 * no more
	 * @param offset so many are passed over
	 * @param limit at most so many
	 * @return the leases
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	EndedLeases ending(String queue, Duration ahead, Duration longestGap, int offset, int limit);

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
	 * @param length how long it lasts, zero or less for one that has ended
	 * @return how many got one
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	int attachLease(String queue, Collection<String> ids, Duration length);

}
