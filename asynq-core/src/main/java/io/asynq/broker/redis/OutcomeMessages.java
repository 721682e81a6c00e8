package io.asynq.broker.redis;

import java.time.Instant;

import io.asynq.broker.Outcome;
import io.asynq.broker.TaskMessage;

/**
 * What an outcome changes in the message (protocol 6.8, 6.10, 6.11).
 */
final class OutcomeMessages {

	/** Longer texts make every later read of the task expensive and tell no more. */
	private static final int MAX_ERROR_LENGTH = 10_000;

	private OutcomeMessages() {
	}

	static TaskMessage completed(TaskMessage message, Instant now) {
		return message.toBuilder().completedAtSeconds(Text.seconds(now)).build();
	}

	static TaskMessage retried(Outcome.Retry retry, Instant now) {
		TaskMessage message = retry.message();
		return failed(message, retry.error(), now).retried(message.retried() + (retry.failure() ? 1 : 0)).build();
	}

	static TaskMessage archived(Outcome.Archive archive, Instant now) {
		return failed(archive.message(), archive.error(), now).build();
	}

	/**
	 * Returns a message of a task that has failed.
	 * @param message the message
	 * @param error what to keep, cut if it is long
	 * @param now when it failed
	 * @return the changed message
	 */
	static TaskMessage.Builder failed(TaskMessage message, String error, Instant now) {
		String text = (error.length() > MAX_ERROR_LENGTH) ? error.substring(0, MAX_ERROR_LENGTH - 1) + "…" : error;
		return message.toBuilder().errorMessage(text).lastFailedAtSeconds(Text.seconds(now));
	}

}
