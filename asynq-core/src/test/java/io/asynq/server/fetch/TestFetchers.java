package io.asynq.server.fetch;

import java.util.List;
import java.util.Map;

import io.asynq.broker.TaskDequeuer;
import io.asynq.broker.message.QueueWeights;
import io.asynq.server.lane.Lanes;

/**
 * Fetchers for tests.
 */
public final class TestFetchers {

	private TestFetchers() {
	}

	/**
	 * Creates a fetcher of a single queue from which nothing is postponed.
	 */
	public static TaskFetcher of(String queue, TaskDequeuer dequeuer) {
		QueueReadiness readiness = new QueueReadiness(List.of(queue));
		Runnable nobody = () -> {
		};
		return new TaskFetcher(dequeuer, new QueueSelector(new QueueWeights(Map.of(queue, 1), false)), readiness,
				Lanes.single(), nobody);
	}

}
