package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Broker;
import io.asynq.broker.check.Finding;
import io.asynq.broker.survey.StoreSurvey;
import io.asynq.info.SchedulerEntry;
import io.asynq.operate.attention.Dated;
import io.asynq.operate.attention.Remembered;
import io.asynq.operate.attention.Situation;
import io.asynq.operate.attention.SituationReader;

/**
 * Reads what overviews need, in a number of calls that depends neither on the tasks nor
 * on who looks. Safe for concurrent use.
 */
final class StateReader {

	private final SituationReader situation;

	private final NewestFailures newest;

	private final Remembered<Dated<List<StoreSurvey.Node>>> nodes;

	private StateReader(SituationReader situation, NewestFailures newest,
			Remembered<Dated<List<StoreSurvey.Node>>> nodes) {
		this.situation = situation;
		this.newest = newest;
		this.nodes = nodes;
	}

	public static StateReader create(Broker broker, Clock clock, Duration refresh) {
		return new StateReader(SituationReader.create(broker, clock, refresh), new NewestFailures(broker.taskSurvey()),
				new Remembered<>(Dated.of(() -> nodes(broker), clock), refresh.multipliedBy(SituationReader.RARELY)));
	}

	public State read() {
		Situation read = this.situation.read();
		return new State(read, this.newest.read(read.board().queues()), nodes().value());
	}

	Dated<List<Finding>> findings() {
		return this.situation.findings();
	}

	Dated<List<StoreSurvey.Node>> nodes() {
		return this.nodes.get();
	}

	Dated<List<SchedulerEntry>> schedulerEntries() {
		return this.situation.schedulerEntries();
	}

	/** The rule for asynq's user does not have INFO. */
	private static List<StoreSurvey.Node> nodes(Broker broker) {
		try {
			return broker.storeSurvey().nodes();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return List.of();
		}
	}

}
