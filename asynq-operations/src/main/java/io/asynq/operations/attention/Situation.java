package io.asynq.operations.attention;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.asynq.internal.limit.LimitReader;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.operations.preflight.Finding;
import io.asynq.operations.survey.FleetSurvey;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.TaskSurvey;

/**
 * Everything that was read to find what somebody should look at, for all viewers alike;
 * the findings are some minutes old at most, {@code periodic} one, {@code starving} half
 * a one.
 */
public record Situation(QueueBoard.Board board, FleetSurvey.Fleet fleet, int schedulerEntries,
		Map<String, List<UnhandledStore.Waiting>> unhandled, Map<String, Instant> pausedSince, List<Finding> findings,
		FailingQueues.Rates rates, Map<String, TaskSurvey.Orphaned> orphaned,
		List<FailingPeriodicTasks.Failed> periodic, List<LimitReader.Starving> starving) {

	/** The queues from which a live server takes tasks. */
	public Set<String> covered() {
		return this.fleet.live()
			.stream()
			.filter((server) -> server.info().takesTasks())
			.flatMap((server) -> server.info().queues().keySet().stream())
			.collect(Collectors.toSet());
	}

	/** For whoever may see all queues. */
	public Report report() {
		return new Report(this.board.at(), attention((queue) -> true));
	}

	/** Leaves out queues that may not be seen. */
	public List<Attention> attention(Predicate<String> sees) {
		return AttentionFinder.find(this, sees);
	}

	public record Report(Instant asOf, List<Attention> attention) {
	}

}
