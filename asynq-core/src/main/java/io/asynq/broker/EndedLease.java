package io.asynq.broker;

import java.time.Instant;

/**
 * An active task whose lease has ended.
 *
 * @param message the task
 * @param endedAt the end, in whole seconds of the clock of whoever held it
 * @param crashes how many servers it has taken down
 * @param counted whether these include the one that held this lease: somebody has claimed
 * the task before, but not ended it
 */
public record EndedLease(TaskMessage message, Instant endedAt, int crashes, boolean counted) {

	/**
	 * Returns the lease with another number of crashes.
	 * @param crashes the number
	 * @return a new lease
	 */
	public EndedLease withCrashes(int crashes) {
		return new EndedLease(this.message, this.endedAt, crashes, true);
	}

}
