package io.asynq.broker.message;

import java.time.Duration;

import io.asynq.broker.limit.LimitClass;
import io.asynq.event.ArchiveReason;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt at an active task ends; the broker applies it to the message as
 * dequeued, if the task still belongs to the attempt.
 */
public sealed interface Outcome {

	LeasedTask task();

	default TaskMessage message() {
		return task().message();
	}

	/**
	 * Succeeded or revoked.
	 */
	record Done(LeasedTask task) implements Outcome {
	}

	/**
	 * Succeeded and kept for its retention; a result of {@code null} keeps what the
	 * handler wrote.
	 */
	record Completed(LeasedTask task, byte @Nullable [] result) implements Outcome {
	}

	/**
	 * Failed, to be tried again at a due time cut to whole seconds; counted only if it is
	 * a failure.
	 */
	record Retry(LeasedTask task, String error, Due due, boolean failure) implements Outcome {
	}

	/**
	 * Not run, to be tried again at a due time rounded up to whole seconds; nothing is
	 * counted.
	 */
	record Postpone(LeasedTask task, Due due) implements Outcome {
	}

	/**
	 * Not run for want of a token, to be tried again by itself at the due time, rounded
	 * up to whole seconds; nothing is counted.
	 */
	record Wait(LeasedTask task, LimitClass needs, Due due) implements Outcome {
	}

	/**
	 * Not run for want of a handler, and put off by as long as it has waited; a task that
	 * has waited longer than {@code maxAge} is left for the caller to archive, and
	 * nothing is counted.
	 */
	record Unhandled(LeasedTask task, String error, Duration longest, Duration maxAge) implements Outcome {
	}

	/**
	 * Failed for good, and always counted as a failure.
	 */
	record Archive(LeasedTask task, String error, ArchiveReason reason) implements Outcome {

		public Archive(LeasedTask task, String error) {
			this(task, error, ArchiveReason.RETRIES_EXHAUSTED);
		}

	}

	/**
	 * Not finished: back to the front of its queue in the order of the call's list, and
	 * nothing is counted.
	 */
	record Requeue(LeasedTask task) implements Outcome {
	}

}
