package io.asynq.operate.attention;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.asynq.broker.check.Finding;
import io.asynq.broker.limit.LimitReader;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.survey.TaskSurvey;
import io.asynq.broker.work.UnhandledStore;
import io.asynq.operate.survey.QueueBoard;

/**
 * Everything that was read to find what somebody should look at, for all viewers alike.
 *
 * @param board all queues
 * @param fleet all servers
 * @param schedulerEntries how many periodic tasks there are
 * @param unhandled types that wait for a handler, by queue
 * @param pausedSince since when queues are paused
 * @param findings what the check of Redis has found, at most some minutes ago
 * @param rates queues that fail, or whose backlog grows
 * @param orphaned active tasks whose worker is gone, by queue
 * @param periodic periodic tasks that fail, at most a minute ago
 * @param starving tasks that wait for limits, at most half a minute ago
 */
public record Situation(QueueBoard.Board board, FleetSurvey.Fleet fleet, int schedulerEntries,
		Map<String, List<UnhandledStore.Waiting>> unhandled, Map<String, Instant> pausedSince, List<Finding> findings,
		FailingQueues.Rates rates, Map<String, TaskSurvey.Orphaned> orphaned, List<PeriodicOutcomes.Failed> periodic,
		List<LimitReader.Starving> starving) {

	/** Returns the queues from which a live server takes tasks. */
	public Set<String> covered() {
		return this.fleet.live()
			.stream()
			.filter((server) -> server.info().takesTasks())
			.flatMap((server) -> server.info().queues().keySet().stream())
			.collect(Collectors.toSet());
	}

	/** Finds what whoever may see all queues should look at, the worst first. */
	public Report report() {
		return new Report(this.board.at(), attention((queue) -> true));
	}

	/**
	 * Finds what somebody should look at, the worst first.
	 * @param sees whether a queue may be seen, which is left out otherwise
	 */
	public List<Attention> attention(Predicate<String> sees) {
		return AttentionFinder.find(this, sees);
	}

	/**
	 * What somebody should look at.
	 *
	 * @param asOf when it was read
	 * @param attention one for each kind, the worst first
	 */
	public record Report(Instant asOf, List<Attention> attention) {
	}

}
