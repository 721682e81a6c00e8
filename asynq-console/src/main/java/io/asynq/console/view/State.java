package io.asynq.console.view;

import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.survey.StoreSurvey;
import io.asynq.operate.attention.Situation;
import io.asynq.operate.survey.QueueBoard;

/**
 * Everything that was read for an overview, for all viewers alike.
 *
 * @param situation queues, servers, and what tells whether somebody should look
 * @param newest tasks that have failed last, without their payloads
 * @param nodes what Redis says of itself, at most some seconds ago
 */
public record State(Situation situation, List<TaskInfo> newest, List<StoreSurvey.Node> nodes) {

	/** Returns all queues. */
	public QueueBoard.Board board() {
		return this.situation.board();
	}

	/** Returns all servers. */
	public FleetSurvey.Fleet fleet() {
		return this.situation.fleet();
	}

}
