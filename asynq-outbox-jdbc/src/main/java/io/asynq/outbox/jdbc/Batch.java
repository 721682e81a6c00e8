package io.asynq.outbox.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction of the relay has done.
 */
final class Batch {

	private final int locked;

	private final List<OutboxRow> answered = new ArrayList<>();

	private final Map<OutboxRow, String> setAside = new LinkedHashMap<>();

	private @Nullable BrokerUnavailableException error;

	Batch(int locked) {
		this.locked = locked;
	}

	/** The task is stored or will never be, so the row is deleted. */
	void answered(OutboxRow row) {
		this.answered.add(row);
	}

	/** The row cannot be sent, so it stays, with a reason. */
	void setAside(OutboxRow row, String reason) {
		this.setAside.put(row, reason);
	}

	void failed(BrokerUnavailableException ex) {
		this.error = ex;
	}

	List<OutboxRow> answered() {
		return this.answered;
	}

	Map<OutboxRow, String> setAside() {
		return this.setAside;
	}

	/** Throws the error if Redis did not answer. */
	void requireRedis() {
		if (this.error != null) {
			throw this.error;
		}
	}

	boolean mayHaveMore() {
		return this.locked > 0 && !(this.answered.isEmpty() && this.setAside.isEmpty());
	}

}
