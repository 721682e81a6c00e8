package io.asynq.console.view;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.broker.check.Finding;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.survey.StoreSurvey;
import io.asynq.broker.work.UnhandledStore;
import io.asynq.operate.survey.QueueBoard;

/**
 * Everything that was read for an overview, for all viewers alike.
 *
 * @param board all queues
 * @param fleet all servers
 * @param schedulerEntries how many periodic tasks there are
 * @param unhandled types that wait for a handler, by queue
 * @param pausedSince since when queues are paused
 * @param findings what the check of Redis has found, at most some minutes ago
 * @param newest tasks that have failed last, without their payloads
 * @param nodes what Redis says of itself, at most some seconds ago
 */
public record State(QueueBoard.Board board, FleetSurvey.Fleet fleet, int schedulerEntries,
		Map<String, List<UnhandledStore.Waiting>> unhandled, Map<String, Instant> pausedSince, List<Finding> findings,
		List<TaskInfo> newest, List<StoreSurvey.Node> nodes) {
}
