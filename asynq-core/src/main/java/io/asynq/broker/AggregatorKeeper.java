package io.asynq.broker;

/**
 * Writes down who aggregates what, so that groups that take servers down are known. Safe
 * for concurrent use. All methods throw {@link io.asynq.BrokerException} if Redis cannot
 * be reached or fails.
 */
public interface AggregatorKeeper {

	/**
	 * Notes that an aggregator is about to be called.
	 * @param staged what it gets
	 * @return what became of those before it that had tasks of this group
	 */
	CrashRecord begin(StagedGroup staged);

	/**
	 * Notes that an aggregator has ended.
	 * @param staged what it got
	 * @param how how it has ended
	 */
	void end(StagedGroup staged, End how);

	/**
	 * Counts aggregators that went down with their servers, some time after their sets
	 * have expired.
	 * @param queue the queue
	 * @return how many were counted
	 */
	int countCrashed(String queue);

	/**
	 * How an aggregator may end.
	 */
	enum End {

		/** It has returned, or thrown something. */
		BY_ITSELF,

		/** It was given up. */
		CUT_SHORT,

		/** It has stopped its own server. */
		CRASHED

	}

}
