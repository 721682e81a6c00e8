package io.asynq.internal.worker;

public interface Outcomes {

	/** Writes the outcome that the caller has claimed. */
	void report(Attempt attempt);

	/** Nothing may be written about the task any more. */
	void forget(Attempt attempt);

}
