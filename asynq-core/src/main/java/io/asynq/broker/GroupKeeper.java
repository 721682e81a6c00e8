package io.asynq.broker;

/**
 * Keeps groups visible to those who aggregate them. Safe for concurrent use.
 */
public interface GroupKeeper {

	/**
	 * Lists groups that a Go server may have filled without listing them, and gives back
	 * what was staged for an aggregation that did not end in time. One call looks at up
	 * to 50,000 groups and 10,000 sets, and the next goes on with the others.
	 * @param queue the queue
	 * @return how many groups and sets that were
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Relisted relist(String queue);

	/**
	 * What was made visible again.
	 *
	 * @param groups groups that were not listed
	 * @param sets staged sets given back
	 */
	record Relisted(int groups, int sets) {
	}

}
