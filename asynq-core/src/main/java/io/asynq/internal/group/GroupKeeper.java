package io.asynq.internal.group;

public interface GroupKeeper {

	/**
	 * Lists groups that Go filled without listing them, and gives back staged sets that
	 * were not aggregated in time; bounded, so the next call continues.
	 */
	Relisted relist(String queue);

	/** Deletes tasks of sets whose server died after the aggregation. */
	int deleteLeftOver(String queue);

	/** Counts aggregators that went down with their servers, once their sets expired. */
	int countCrashed(String queue);

	record Relisted(int groups, int sets) {
	}

}
