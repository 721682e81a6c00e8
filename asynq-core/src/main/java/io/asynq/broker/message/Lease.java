package io.asynq.broker.message;

/**
 * A server's right to work on a task and to report how it ended. Its length is measured
 * with {@link System#nanoTime()} from before Redis was asked for it, so it ends here no
 * later than in Redis, whatever happens to either clock. One holder writes it, many
 * threads read it.
 */
public final class Lease {

	private final String queue;

	private final String taskId;

	private final String fence;

	private volatile long endNanos;

	private volatile boolean lost;

	private volatile boolean forgotten;

	/**
	 * Creates a lease.
	 * @param fence identifies this attempt at the task
	 * @param endNanos the nano time at which it ends unless extended
	 */
	public Lease(String queue, String taskId, String fence, long endNanos) {
		this.queue = queue;
		this.taskId = taskId;
		this.fence = fence;
		this.endNanos = endNanos;
	}

	public String queue() {
		return this.queue;
	}

	public String taskId() {
		return this.taskId;
	}

	/**
	 * Returns what identifies this attempt among all attempts of Java servers, so that a
	 * late or repeated report of an earlier attempt cannot end a later one.
	 * @return an opaque text
	 */
	public String fence() {
		return this.fence;
	}

	/**
	 * Returns whether the lease still holds.
	 * @return {@code true} before its end, as long as no other attempt has the task
	 */
	public boolean isValidAt(long nanoTime) {
		return !this.lost && this.endNanos - nanoTime > 0;
	}

	/**
	 * Records that Redis has accepted a later end.
	 * @param endNanos the nano time at which it ends now
	 */
	public void extendedTo(long endNanos) {
		this.forgotten = false;
		this.endNanos = endNanos;
	}

	/** Records that the task belongs to another attempt by now. */
	public void lose() {
		this.lost = true;
	}

	/**
	 * Records that Redis knows neither the lease nor the task. The lease is left to end
	 * by itself: a master that lags behind may soon be replaced by one that does not.
	 */
	public void forget() {
		this.forgotten = true;
	}

	/**
	 * Returns what becomes of the task after the lease, for the log.
	 * @return why the lease ended, and whether the task will run again
	 */
	public String fate() {
		if (this.lost) {
			return "another attempt has taken over the task";
		}
		return this.forgotten
				? "Redis no longer knows the task: it was deleted or flushed, or Redis lost its last writes;"
						+ " it does not run again unless it is enqueued again"
				: "it was not renewed in time; the task will be recovered and run again";
	}

}
