package io.asynq.internal.worker;

import java.time.Duration;

import io.asynq.event.ArchiveReason;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

/** Applied to the message as dequeued, if the task still belongs to the attempt. */
public sealed interface Outcome {

	LeasedTask task();

	default TaskMessage message() {
		return task().message();
	}

	/** Succeeded or revoked. */
	record Done(LeasedTask task) implements Outcome {
	}

	/** Succeeded; {@code null} keeps the result that the handler wrote. */
	record Completed(LeasedTask task, byte @Nullable [] result) implements Outcome {
	}

	/** Due times are cut to whole seconds; counts only if it is a failure. */
	record Retry(LeasedTask task, String error, Due due, boolean failure) implements Outcome {
	}

	/** Not run, and not counted; due times are rounded up to whole seconds. */
	record Postpone(LeasedTask task, Due due) implements Outcome {
	}

	/** Not run for want of a token, and not counted; tried again by itself when due. */
	record Wait(LeasedTask task, LimitClass needs, Due due) implements Outcome {
	}

	/**
	 * Not run for want of a handler, and not counted: put off by as long as it has
	 * waited, but left for the caller to archive beyond {@code maxAge}.
	 */
	record Unhandled(LeasedTask task, String error, Duration longest, Duration maxAge) implements Outcome {
	}

	/** Failed for good, and always counted as a failure. */
	record Archive(LeasedTask task, String error, ArchiveReason reason) implements Outcome {

		public Archive(LeasedTask task, String error) {
			this(task, error, ArchiveReason.RETRIES_EXHAUSTED);
		}

	}

	/** Back to the front of its queue in the order of the call, and not counted. */
	record Requeue(LeasedTask task) implements Outcome {
	}

}
