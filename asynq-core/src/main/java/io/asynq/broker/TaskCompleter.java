package io.asynq.broker;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.OutcomeResult;

/**
 * What servers report about their tasks: that a handler begins, its result so far, how
 * the attempt ended. Safe for concurrent use.
 */
public interface TaskCompleter {

	/**
	 * Records that the handlers of some tasks are about to begin, so that it is known if
	 * their server dies.
	 * @param queue the queue of all of them
	 * @return those for which it was recorded; the others belong to another attempt by
	 * now
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; it may have
	 * been recorded all the same
	 */
	Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks);

	/**
	 * Stores the crash records of tasks whose attempts do not end by themselves. Call it
	 * before their outcomes are reported.
	 * @param queue the queue of all of them
	 * @param tasks the tasks with their new records
	 */
	void note(String queue, Collection<LeasedTask> tasks);

	/**
	 * Replaces the task's result. Writes nothing when the task is gone, so that no stray
	 * hash is left behind, or belongs to another attempt by now.
	 * @param lease the right to work on the task
	 * @return whether it was written
	 */
	boolean writeResult(Lease lease, byte[] result);

	/**
	 * Applies outcomes in one script per kind, on a cluster also per queue, each item by
	 * itself. Idempotent: a batch that is sent twice changes nothing the second time.
	 * Does not throw when Redis fails.
	 * @param outcomes of any queues and kinds
	 * @return one result per outcome, in the same order
	 */
	List<OutcomeResult> report(List<? extends Outcome> outcomes);

}
