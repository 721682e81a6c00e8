package io.asynq.outbox.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction of the relay has done. Used by one thread.
 */
final class Batch {

	private final int locked;

	private final List<OutboxRow> answered = new ArrayList<>();

	private final Map<OutboxRow, String> setAside = new LinkedHashMap<>();

	private @Nullable BrokerUnavailableException error;

	/**
	 * @param locked how many rows it has locked
	 */
	Batch(int locked) {
		this.locked = locked;
	}

	/** Adds a row whose task is stored, or will never be: it is deleted. */
	void answered(OutboxRow row) {
		this.answered.add(row);
	}

	/** Adds a row that cannot be sent: it stays, with a reason. */
	void setAside(OutboxRow row, String reason) {
		this.setAside.put(row, reason);
	}

	/** Notes that Redis does not answer. */
	void failed(BrokerUnavailableException ex) {
		this.error = ex;
	}

	List<OutboxRow> answered() {
		return this.answered;
	}

	Map<OutboxRow, String> setAside() {
		return this.setAside;
	}

	/**
	 * Throws the error if Redis did not answer.
	 */
	void requireRedis() {
		if (this.error != null) {
			throw this.error;
		}
	}

	/** Returns whether there may be more rows that can be sent now. */
	boolean mayHaveMore() {
		return this.locked > 0 && !(this.answered.isEmpty() && this.setAside.isEmpty());
	}

}
