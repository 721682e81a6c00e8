package io.asynq.internal.worker;

import java.util.Collection;
import java.util.List;
import java.util.Set;

public interface TaskCompleter {

	/**
	 * Tasks left out of the answer belong to another attempt by now; it may have been
	 * recorded even if this throws.
	 */
	Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks);

	/** To be called before the outcomes of such attempts are reported. */
	void note(String queue, Collection<LeasedTask> tasks);

	/** Writes nothing for a task that is gone, which would leave a stray hash behind. */
	boolean writeResult(Lease lease, byte[] result);

	/** Idempotent, and does not throw when Redis fails. */
	List<OutcomeResult> report(List<? extends Outcome> outcomes);

}
