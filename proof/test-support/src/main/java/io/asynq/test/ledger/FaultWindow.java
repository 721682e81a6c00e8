package io.asynq.test.ledger;

import java.time.Instant;

/**
 * @param worker the worker concerned, {@code *} for all
 * @param explains which repeated runs it explains
 */
public record FaultWindow(String fault, String worker, Explains explains, Instant start, Instant end, String detail) {

	public static final String ALL = "*";

	public boolean touches(String worker) {
		return ALL.equals(this.worker) || this.worker.equals(worker);
	}

}
