package io.asynq.broker;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.OutcomeResult;

public interface TaskCompleter {

	/**
	 * Records that handlers are about to begin, so that it is known if their server dies;
	 * tasks left out of the answer belong to another attempt, and it may have been
	 * recorded even if this throws.
	 */
	Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks);

	/**
	 * To be called before the outcomes are reported, for attempts that do not end by
	 * themselves.
	 */
	void note(String queue, Collection<LeasedTask> tasks);

	/**
	 * Writes nothing when the task is gone, which would leave a stray hash behind, or
	 * belongs to another attempt.
	 */
	boolean writeResult(Lease lease, byte[] result);

	/**
	 * Idempotent, so a batch may be sent again; does not throw when Redis fails, and
	 * answers each outcome in order.
	 */
	List<OutcomeResult> report(List<? extends Outcome> outcomes);

}
