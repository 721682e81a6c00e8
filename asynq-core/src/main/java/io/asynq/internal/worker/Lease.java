package io.asynq.internal.worker;

/**
 * Measured with {@link System#nanoTime()} from before Redis was asked, so that it ends
 * here no later than in Redis; one holder writes it, many threads read it.
 */
public final class Lease {

	private final String queue;

	private final String taskId;

	private final String fence;

	private volatile long endNanos;

	private volatile boolean lost;

	private volatile boolean forgotten;

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

	/** A late or repeated report of an earlier attempt must not end a later one. */
	public String fence() {
		return this.fence;
	}

	public boolean isValidAt(long nanoTime) {
		return !this.lost && this.endNanos - nanoTime > 0;
	}

	public void extendedTo(long endNanos) {
		this.forgotten = false;
		this.endNanos = endNanos;
	}

	public void lose() {
		this.lost = true;
	}

	/** Left to end by itself: a master that lags behind may soon be replaced. */
	public void forget() {
		this.forgotten = true;
	}

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
