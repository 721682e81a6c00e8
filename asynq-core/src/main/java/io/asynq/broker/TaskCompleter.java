package io.asynq.broker;

import java.util.List;

/**
 * Ends active tasks. Safe for concurrent use.
 */
public interface TaskCompleter {

	/**
	 * Applies outcomes in one script per queue and kind, each item by itself; a batch
	 * sent twice changes nothing the second time. Does not throw for what Redis does.
	 * @param outcomes of any queues and kinds
	 * @return one result per outcome, in the same order
	 */
	List<OutcomeResult> report(List<? extends Outcome> outcomes);

}
