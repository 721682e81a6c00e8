package io.asynq.broker;

import org.jspecify.annotations.Nullable;

/**
 * How an attempt at an active task ends. The message is the one that was dequeued; the
 * broker applies what the outcome says to it (retry count, error, times), if the task is
 * still in the hands of whoever says so.
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
	 *
	 * @param task the task
	 */
	record Done(LeasedTask task) implements Outcome {
	}

	/**
	 * Succeeded and kept for its retention; its lock is released.
	 *
	 * @param task the task
	 * @param result what the handler returned, {@code null} to leave alone what it wrote
	 */
	record Completed(LeasedTask task, byte @Nullable [] result) implements Outcome {
	}

	/**
	 * Failed, to be tried again.
	 *
	 * @param task the task
	 * @param error the error's text
	 * @param due when, cut to whole seconds of Redis's clock
	 * @param failure whether it counts as a retry and in the counters
	 */
	record Retry(LeasedTask task, String error, Due due, boolean failure) implements Outcome {
	}

	/**
	 * Not worked on, to be tried later; nothing is counted and the message stays as it
	 * is.
	 *
	 * @param task the task
	 * @param due when, rounded up to whole seconds of Redis's clock
	 */
	record Postpone(LeasedTask task, Due due) implements Outcome {
	}

	/**
	 * Failed for good; always counted as a failure.
	 *
	 * @param task the task
	 * @param error the error's text
	 */
	record Archive(LeasedTask task, String error) implements Outcome {
	}

	/**
	 * Not finished: back to the front of its queue, nothing counted. Several requeued in
	 * one call come back in the order of the call's list.
	 *
	 * @param task the task
	 */
	record Requeue(LeasedTask task) implements Outcome {
	}

}
