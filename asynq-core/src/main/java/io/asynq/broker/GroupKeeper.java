package io.asynq.broker;

public interface GroupKeeper {

	/**
	 * Lists groups that Go filled without listing them, and returns staged sets to their
	 * groups that were not aggregated in time; bounded, so the next call continues.
	 */
	Relisted relist(String queue);

	/** Finishes for servers that died after an aggregation, before deleting all tasks. */
	int deleteLeftOver(String queue);

	/**
	 * Counts aggregators that went down with their servers, long after their sets
	 * expired.
	 */
	int countCrashed(String queue);

	record Relisted(int groups, int sets) {
	}

}
