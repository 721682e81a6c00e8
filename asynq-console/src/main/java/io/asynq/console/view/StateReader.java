package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.operations.attention.Dated;
import io.asynq.operations.attention.Remembered;
import io.asynq.operations.attention.Situation;
import io.asynq.operations.attention.SituationReader;
import io.asynq.operations.preflight.Finding;
import io.asynq.operations.preflight.StoreSurvey;
import io.asynq.operations.survey.TaskSurvey;
import org.jspecify.annotations.Nullable;

/**
 * Reads what overviews need, in a number of calls that depends neither on the tasks nor
 * on who looks. Safe for concurrent use.
 */
final class StateReader {

	private final SituationReader situation;

	private final NewestFailures newest;

	private final Remembered<Dated<List<StoreSurvey.Node>>> nodes;

	StateReader(RedisBroker broker, Clock clock, Duration refresh) {
		this.situation = SituationReader.create(broker, clock, refresh);
		this.newest = new NewestFailures(new TaskSurvey(broker));
		this.nodes = new Remembered<>(
				Dated.of(() -> Objects.requireNonNullElse(allowed(new StoreSurvey(broker)::nodes), List.of()), clock),
				refresh.multipliedBy(SituationReader.RARELY));
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

	/**
	 * Nothing where Redis or its user's rules do not allow it; the rule for asynq's user
	 * does not have INFO.
	 */
	static <T> @Nullable T allowed(Supplier<T> read) {
		try {
			return read.get();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return null;
		}
	}

}
