package io.asynq.server;

import java.util.List;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.broker.AttemptKeeper;
import io.asynq.broker.LeasedTask;
import io.asynq.lifecycle.LoopErrorLog;

/**
 * Has it written down when handlers of suspects begin. Where that cannot be done, they do
 * not begin: a server that dies then would leave no trace of who it was.
 */
final class Beginnings {

	private final AttemptKeeper keeper;

	private final LoopErrorLog errors;

	Beginnings(AttemptKeeper keeper, LoopErrorLog errors) {
		this.keeper = keeper;
		this.errors = errors;
	}

	/**
	 * Returns the attempts whose handlers may begin.
	 * @param queue the queue of all of them
	 * @param attempts attempts that are about to begin
	 * @return all but suspects for which that could not be written down
	 */
	List<Attempt> note(String queue, List<Attempt> attempts) {
		List<LeasedTask> suspects = attempts.stream()
			.map(Attempt::leased)
			.filter((task) -> task.record().suspect())
			.toList();
		if (suspects.isEmpty()) {
			return attempts;
		}
		Set<LeasedTask> begun = begin(queue, suspects);
		return attempts.stream()
			.filter((attempt) -> !attempt.leased().record().suspect() || begun.contains(attempt.leased()))
			.toList();
	}

	private Set<LeasedTask> begin(String queue, List<LeasedTask> suspects) {
		try {
			return this.keeper.begin(queue, suspects);
		}
		catch (BrokerException ex) {
			this.errors.warn("asynq-processor", ex);
			return Set.of();
		}
	}

}
