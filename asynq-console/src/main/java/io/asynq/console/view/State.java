package io.asynq.console.view;

import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.survey.StoreSurvey;
import io.asynq.operate.attention.Situation;
import io.asynq.operate.survey.QueueBoard;

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
