package io.asynq;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The state of a task. The lower-case name is the value of the hash field {@code state}.
 * It is also the end of the key that holds the task's id, except for
 * {@link #AGGREGATING}, where that is the key of the group. {@link #DEFERRED} is not in
 * Redis.
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
	 * Returns the number Go asynq gives this state.
	 * @return 1 to 7, 0 for {@link #DEFERRED}, which Go does not have
	 */
	public int number() {
		return this.number;
	}

	/**
	 * Returns the name as it stands in Redis.
	 * @return the lower-case name
	 */
	@JsonValue
	public String wireName() {
		return this.wireName;
	}

	/**
	 * Returns the states that a task may have in Redis.
	 * @return all but {@link #DEFERRED}
	 */
	public static List<TaskState> stored() {
		return STORED;
	}

	/**
	 * Finds a state by its name in Redis.
	 * @param wireName the lower-case name
	 * @return the state
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
