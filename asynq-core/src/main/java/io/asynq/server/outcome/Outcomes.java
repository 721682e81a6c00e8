package io.asynq.server.outcome;

import io.asynq.broker.message.Outcome;
import io.asynq.server.attempt.Attempt;

/**
 * Takes the outcomes of attempts. Safe for concurrent use.
 */
public interface Outcomes {

	/**
	 * Takes the outcome of an attempt, which is written now or soon.
	 */
	void report(Attempt attempt, Outcome outcome);

	/**
	 * Stops holding a task about which nothing may be written any more.
	 */
	void forget(Attempt attempt);

}
