package io.asynq.broker;

public interface GroupKeeper {

	/**
	 * Lists groups that a Go server may have filled without listing them, and returns
	 * staged sets to their groups whose aggregation did not end in time; bounded, so the
	 * next call continues.
	 */
	Relisted relist(String queue);

	/**
	 * Deletes the remaining tasks of sets whose aggregation was finished by a server that
	 * died before it had deleted them all.
	 */
	int deleteLeftOver(String queue);

	/**
	 * Counts aggregators that went down with their servers, some time after their sets
	 * have expired.
	 */
	int countCrashed(String queue);

	record Relisted(int groups, int sets) {
	}

}
