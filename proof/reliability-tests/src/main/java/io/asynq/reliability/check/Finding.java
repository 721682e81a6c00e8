package io.asynq.reliability.check;

/** A violation. */
public record Finding(String invariant, String subject, String detail) {

	@Override
	public String toString() {
		return this.invariant + ": " + this.subject + ": " + this.detail;
	}

}
