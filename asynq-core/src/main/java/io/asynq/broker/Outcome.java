package io.asynq.broker;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How an active task ends. The message is the one that was dequeued; the broker applies
 * what the outcome says to it (retry count, error, times).
 */
public sealed interface Outcome {

	/**
	 * Returns the task.
	 * @return its message as dequeued
	 */
	TaskMessage message();

	/**
	 * Succeeded or revoked; the task is deleted and its lock released.
	 *
	 * @param message the task
	 */
	record Done(TaskMessage message) implements Outcome {
	}

	/**
	 * Succeeded and kept for its retention; its lock is released.
	 *
	 * @param message the task
	 * @param result what the handler returned, {@code null} to leave alone what it wrote
	 */
	record Completed(TaskMessage message, byte @Nullable [] result) implements Outcome {
	}

	/**
	 * Failed, to be tried again.
	 *
	 * @param message the task
	 * @param error the error's text
	 * @param retryAt when, cut to whole seconds
	 * @param failure whether it counts as a retry and in the counters
	 */
	record Retry(TaskMessage message, String error, Instant retryAt, boolean failure) implements Outcome {
	}

	/**
	 * Failed for good; always counted as a failure.
	 *
	 * @param message the task
	 * @param error the error's text
	 */
	record Archive(TaskMessage message, String error) implements Outcome {
	}

	/**
	 * Not finished: back to the front of its queue, nothing counted. Several requeued in
	 * one call come back in the order of the call's list.
	 *
	 * @param message the task
	 */
	record Requeue(TaskMessage message) implements Outcome {
	}

}
