package io.asynq.reliability.check;

/**
 * A violation.
 *
 * @param invariant the name of the violated invariant
 * @param subject the task, queue or key
 * @param detail the facts from ledger and Redis
 */
public record Finding(String invariant, String subject, String detail) {

	@Override
	public String toString() {
		return this.invariant + ": " + this.subject + ": " + this.detail;
	}

}
