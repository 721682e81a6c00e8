package io.asynq.broker;

import java.time.Instant;

/**
 * A server's right to work on a task and to say how it ended. One holder writes it, many
 * threads read it.
 */
public final class Lease {

	private final String queue;

	private final String taskId;

	private volatile Instant expiresAt;

	public Lease(String queue, String taskId, Instant expiresAt) {
		this.queue = queue;
		this.taskId = taskId;
		this.expiresAt = expiresAt;
	}

	public String queue() {
		return this.queue;
	}

	public String taskId() {
		return this.taskId;
	}

	public Instant expiresAt() {
		return this.expiresAt;
	}

	/**
	 * Returns whether the lease still holds.
	 * @param now the present
	 * @return {@code true} up to and including its last instant
	 */
	public boolean isValidAt(Instant now) {
		return !this.expiresAt.isBefore(now);
	}

	/**
	 * Notes that Redis has accepted a later end.
	 * @param expiresAt the new end
	 */
	public void extendedTo(Instant expiresAt) {
		this.expiresAt = expiresAt;
	}

}
