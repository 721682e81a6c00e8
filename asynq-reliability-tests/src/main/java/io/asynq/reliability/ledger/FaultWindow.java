package io.asynq.reliability.ledger;

import java.time.Instant;

/**
 * A time during which harm was done.
 *
 * @param fault the name of the fault
 * @param worker the worker it was done to, {@code *} for all
 * @param explains which further runs it explains
 * @param start when it began
 * @param end when it was over
 * @param detail for the reader of a finding
 */
public record FaultWindow(String fault, String worker, Explains explains, Instant start, Instant end, String detail) {

	/** The worker of harm that touches all of them. */
	public static final String ALL = "*";

	public boolean touches(String worker) {
		return ALL.equals(this.worker) || this.worker.equals(worker);
	}

}
