package io.asynq.server.outcome;

import io.asynq.broker.message.Outcome;
import io.asynq.server.attempt.Attempt;

public interface Outcomes {

	void report(Attempt attempt, Outcome outcome);

	/** Nothing may be written about the task any more. */
	void forget(Attempt attempt);

}
