package io.asynq.broker.message;

import java.time.Duration;

import io.asynq.broker.limit.LimitClass;
import io.asynq.event.ArchiveReason;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt at an active task ends. The message is the one that was dequeued; the
 * broker applies the outcome to it (retry count, error, times) if the task still belongs
 * to the attempt.
 */
public sealed interface Outcome {

	/**
	 * Returns the task and the right to end it.
	 * @return the task as dequeued
	 */
	LeasedTask task();

	/**
	 * Returns the task.
	 * @return its message as dequeued
	 */
	default TaskMessage message() {
		return task().message();
	}

	/**
	 * Succeeded or revoked; the task is deleted and its lock released.
	 */
	record Done(LeasedTask task) implements Outcome {
	}

	/**
	 * Succeeded and kept for its retention; its lock is released.
	 *
	 * @param result what the handler returned, {@code null} to keep what it wrote
	 */
	record Completed(LeasedTask task, byte @Nullable [] result) implements Outcome {
	}

	/**
	 * Failed, to be tried again.
	 *
	 * @param error the error's text
	 * @param due when, cut to whole seconds of Redis's clock
	 * @param failure whether it counts as a retry and in the counters
	 */
	record Retry(LeasedTask task, String error, Due due, boolean failure) implements Outcome {
	}

	/**
	 * Not run, to be tried later. Nothing is counted and the message stays unchanged.
	 *
	 * @param due when, rounded up to whole seconds of Redis's clock
	 */
	record Postpone(LeasedTask task, Due due) implements Outcome {
	}

	/**
	 * Not run, because it has no token of its limits; to wait for one. Nothing is counted
	 * and the message stays unchanged.
	 *
	 * @param needs what it needs tokens of
	 * @param due when it is tried again by itself, rounded up to whole seconds of Redis's
	 * clock
	 */
	record Wait(LeasedTask task, LimitClass needs, Due due) implements Outcome {
	}

	/**
	 * Not run, because this server has no handler for the type; to be tried later, after
	 * as long as the task has waited, at least 1 s. Nothing is counted.
	 *
	 * @param error the error's text
	 * @param longest how long it waits at most, whole seconds
	 * @param maxAge for how long tasks wait altogether; one that has waited longer is
	 * left as it is, for the caller to archive
	 */
	record Unhandled(LeasedTask task, String error, Duration longest, Duration maxAge) implements Outcome {
	}

	/**
	 * Failed for good; always counted as a failure.
	 *
	 * @param error the error's text
	 * @param reason why it is not tried again
	 */
	record Archive(LeasedTask task, String error, ArchiveReason reason) implements Outcome {

		/** Creates one for a task whose last attempt has failed. */
		public Archive(LeasedTask task, String error) {
			this(task, error, ArchiveReason.RETRIES_EXHAUSTED);
		}

	}

	/**
	 * Not finished: back to the front of its queue, nothing counted. Several requeued in
	 * one call come back in the order of the call's list.
	 */
	record Requeue(LeasedTask task) implements Outcome {
	}

}
