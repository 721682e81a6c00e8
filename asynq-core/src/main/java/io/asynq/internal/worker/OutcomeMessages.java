package io.asynq.internal.worker;

import java.time.Instant;

import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.Text;

public final class OutcomeMessages {

	/** Longer texts make every later read of the task expensive and tell no more. */
	private static final int MAX_ERROR_LENGTH = 10_000;

	private OutcomeMessages() {
	}

	public static TaskMessage completed(TaskMessage message, Instant now) {
		return message.toBuilder().completedAtSeconds(Text.seconds(now)).build();
	}

	public static TaskMessage retried(Outcome.Retry retry, Instant now) {
		TaskMessage message = retry.message();
		return failed(message, retry.error(), now).retried(message.retried() + (retry.failure() ? 1 : 0)).build();
	}

	public static TaskMessage unhandled(Outcome.Unhandled outcome, Instant now) {
		return failed(outcome.message(), outcome.error(), now).build();
	}

	public static TaskMessage archived(Outcome.Archive archive, Instant now) {
		return failed(archive.message(), archive.error(), now).build();
	}

	public static TaskMessage.Builder failed(TaskMessage message, String error, Instant now) {
		String text = (error.length() > MAX_ERROR_LENGTH) ? error.substring(0, MAX_ERROR_LENGTH - 1) + "…" : error;
		return message.toBuilder().errorMessage(text).lastFailedAtSeconds(Text.seconds(now));
	}

}
