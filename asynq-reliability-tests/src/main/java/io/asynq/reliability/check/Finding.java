package io.asynq.reliability.check;

/**
 * Something that must not be.
 *
 * @param invariant the name of what does not hold
 * @param subject the task, queue or key
 * @param detail what the ledger and Redis say
 */
public record Finding(String invariant, String subject, String detail) {

	@Override
	public String toString() {
		return this.invariant + ": " + this.subject + ": " + this.detail;
	}

}
