package io.asynq.broker;

/**
 * A server's right to work on a task and to say how it ended. How long it lasts is
 * measured by {@link System#nanoTime()}, from before Redis was asked for it: so it is
 * over here no later than there, whatever is done to the clocks of both. One holder
 * writes it, many threads read it.
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
	 * @param queue the queue
	 * @param taskId the task
	 * @param fence tells this attempt at the task from any other
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
	 * Returns what tells this attempt at the task from any other of a Java server: what
	 * is said of an earlier attempt, late or a second time, must not end a later one.
	 * @return a text without meaning
	 */
	public String fence() {
		return this.fence;
	}

	/**
	 * Returns whether the lease still holds.
	 * @param nanoTime the present
	 * @return {@code true} before its end, as long as nobody else has the task
	 */
	public boolean isValidAt(long nanoTime) {
		return !this.lost && this.endNanos - nanoTime > 0;
	}

	/**
	 * Notes that Redis has accepted a later end.
	 * @param endNanos the nano time at which it ends now
	 */
	public void extendedTo(long endNanos) {
		this.forgotten = false;
		this.endNanos = endNanos;
	}

	/**
	 * Notes that the task has passed into other hands.
	 */
	public void lose() {
		this.lost = true;
	}

	/**
	 * Notes that Redis knows neither the lease nor the task. The lease runs out by
	 * itself: a master that is behind may soon be followed by one that is not.
	 */
	public void forget() {
		this.forgotten = true;
	}

	/**
	 * Tells what becomes of the task once the lease is over, for the log.
	 * @return why it is over, and whether the task will run again
	 */
	public String fate() {
		if (this.lost) {
			return "the task has passed into other hands";
		}
		return this.forgotten
				? "Redis knows the task no more, because it was deleted or flushed, or lost its last writes;"
						+ " it does not run again unless it is enqueued again"
				: "it was not renewed in time; the task will be recovered and run again";
	}

}
