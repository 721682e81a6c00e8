package io.asynq.broker;

/**
 * Cleans up after aggregations and keeps groups visible to aggregators. Safe for
 * concurrent use.
 */
public interface GroupKeeper {

	/**
	 * Lists groups that a Go server may have filled without listing them, and returns
	 * staged sets whose aggregation did not end in time to their groups. One call looks
	 * at up to 50,000 groups and 10,000 sets; the next continues.
	 * @return how many groups and sets that were
	 */
	Relisted relist(String queue);

	/**
	 * Deletes the remaining tasks of sets whose aggregation was finished by a server that
	 * died before it had deleted them all.
	 * @return how many tasks that were
	 */
	int deleteLeftOver(String queue);

	/**
	 * Counts aggregators that went down with their servers, some time after their sets
	 * have expired.
	 * @return how many were counted
	 */
	int countCrashed(String queue);

	/**
	 * What has become visible again.
	 *
	 * @param groups groups that were not listed
	 * @param sets staged sets given back
	 */
	record Relisted(int groups, int sets) {
	}

}
