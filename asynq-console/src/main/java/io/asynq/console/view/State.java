package io.asynq.console.view;

import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.operations.attention.Situation;
import io.asynq.operations.preflight.StoreSurvey;
import io.asynq.operations.survey.FleetSurvey;
import io.asynq.operations.survey.QueueBoard;

/**
 * Everything that was read for an overview, for all viewers alike.
 */
record State(Situation situation, List<TaskInfo> newest, List<StoreSurvey.Node> nodes) {

	public QueueBoard.Board board() {
		return this.situation.board();
	}

	public FleetSurvey.Fleet fleet() {
		return this.situation.fleet();
	}

}
