package io.asynq.internal.worker;

public interface Outcomes {

	void report(Attempt attempt, Outcome outcome);

	/** Nothing may be written about the task any more. */
	void forget(Attempt attempt);

}
