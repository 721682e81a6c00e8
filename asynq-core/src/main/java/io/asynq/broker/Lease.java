package io.asynq.broker;

import java.time.Instant;

/**
 * A server's right to work on a task and to say how it ended. One holder writes it, many
 * threads read it.
 */
public final class Lease {

	private final String queue;

	private final String taskId;

	private final String fence;

	private volatile Instant expiresAt;

	/**
	 * Creates a lease.
	 * @param queue the queue
	 * @param taskId the task
	 * @param fence tells this attempt at the task from any other
	 * @param expiresAt when it ends unless extended
	 */
	public Lease(String queue, String taskId, String fence, Instant expiresAt) {
		this.queue = queue;
		this.taskId = taskId;
		this.fence = fence;
		this.expiresAt = expiresAt;
	}

	public String queue() {
		return this.queue;
	}

	public String taskId() {
		return this.taskId;
	}

	/**
	 * Returns what tells this attempt at the task from any other of a Java server: what
	 * is said of an earlier attempt, late or a second time, must not end a later one.
	 * @return a text without meaning
	 */
	public String fence() {
		return this.fence;
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
