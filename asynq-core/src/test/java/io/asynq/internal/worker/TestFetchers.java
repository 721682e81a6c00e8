package io.asynq.internal.worker;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.asynq.internal.lane.Lanes;
import io.asynq.server.QueueWeights;

/**
 * Fetchers for tests.
 */
public final class TestFetchers {

	private TestFetchers() {
	}

	/**
	 * Creates a flow that fetches nothing ahead.
	 */
	public static TaskFlow nothingAhead() {
		return new TaskFlow(false, 1, () -> 0, System::nanoTime);
	}

	/**
	 * Creates a flow of a server that has run many short tasks, far from Redis.
	 */
	public static TaskFlow shortTasksFarAway() {
		TaskFlow flow = new TaskFlow(true, 1, () -> 1, () -> 1000);
		for (int i = 0; i < 1_000_000; i++) {
			flow.ran(0);
		}
		flow.fetched(0);
		return flow;
	}

	/**
	 * Creates a fetcher of a single queue from which nothing is postponed.
	 */
	public static TaskFetcher of(String queue, TaskDequeuer dequeuer) {
		QueueReadiness readiness = new QueueReadiness(List.of(queue));
		Runnable nobody = () -> {
		};
		return new TaskFetcher(dequeuer, new QueueSelector(new QueueWeights(Map.of(queue, 1), false), (its) -> 0),
				readiness, new ActiveTasks(), new ServerCounters(List.of(queue)), (its, waited) -> {
				}, Lanes.single(), nobody);
	}

	/** Creates the readiness of queues that were found empty. */
	public static QueueReadiness empty(Collection<String> queues) {
		QueueReadiness readiness = new QueueReadiness(queues);
		empty(readiness, queues);
		return readiness;
	}

	/** Finds queues empty. */
	public static void empty(QueueReadiness readiness, Collection<String> queues) {
		queues.forEach(readiness::clear);
		queues.forEach(readiness::exhausted);
	}

}
