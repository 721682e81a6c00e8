package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * The result of enqueueing one of many tasks.
 *
 * @param task the task, {@code null} only where {@code null} was given
 * @param info the task as it was stored or deferred, {@code null} if it was not, or if
 * that is unknown
 * @param error why it was not stored, {@code null} if it was
 */
public record EnqueueAttempt(@Nullable Task task, @Nullable TaskInfo info, @Nullable AsynqException error) {

	/**
	 * Returns whether the task is known to be stored, or is
	 * {@link io.asynq.TaskState#DEFERRED}; {@code false} also when Redis could not be
	 * reached.
	 */
	public boolean enqueued() {
		return this.info != null;
	}

	/**
	 * Returns the task as it was stored, or throws the error.
	 */
	public TaskInfo orThrow() {
		if (this.info != null) {
			return this.info;
		}
		throw (this.error != null) ? this.error : new AsynqException("Task was not enqueued, for no known reason");
	}

}
