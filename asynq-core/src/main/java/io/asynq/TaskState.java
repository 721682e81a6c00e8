package io.asynq;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The state of a task. The lower-case name is the value of the hash field {@code state}
 * and the end of the key that holds the task's id; for {@link #AGGREGATING} that is the
 * key of the group instead. {@link #DEFERRED} is not in Redis.
 */
public enum TaskState {

	/** A server is working on it. */
	ACTIVE(1),

	/** Waiting for a free worker. */
	PENDING(2),

	/** Waiting for its time. */
	SCHEDULED(3),

	/** Failed or postponed, waiting for its next attempt. */
	RETRY(4),

	/** Out of retries or not to be retried, kept for inspection. */
	ARCHIVED(5),

	/** Succeeded, kept until its retention ends. */
	COMPLETED(6),

	/** Waiting in a group. */
	AGGREGATING(7),

	/** Not in Redis: it is sent when the transaction of its caller has committed. */
	DEFERRED(0);

	private static final List<TaskState> STORED = Stream.of(values()).filter((state) -> state != DEFERRED).toList();

	private final int number;

	private final String wireName;

	TaskState(int number) {
		this.number = number;
		this.wireName = name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the number that Go gives this state, 0 for {@link #DEFERRED}, which Go does
	 * not have.
	 */
	public int number() {
		return this.number;
	}

	/**
	 * Returns the lower-case name, as it stands in Redis.
	 */
	@JsonValue
	public String wireName() {
		return this.wireName;
	}

	/**
	 * Returns all states but {@link #DEFERRED}.
	 */
	public static List<TaskState> stored() {
		return STORED;
	}

	/**
	 * Finds a state by its name in Redis.
	 * @throws IllegalArgumentException if there is no such state
	 */
	public static TaskState of(String wireName) {
		for (TaskState state : STORED) {
			if (state.wireName.equals(wireName)) {
				return state;
			}
		}
		throw new IllegalArgumentException("Unknown task state '" + wireName + "'");
	}

}
