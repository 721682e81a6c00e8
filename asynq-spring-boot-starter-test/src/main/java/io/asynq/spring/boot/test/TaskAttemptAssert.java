package io.asynq.spring.boot.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.asynq.event.TaskOutcome;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;

/** Assertions about one run of a handler. Not safe for concurrent use. */
public final class TaskAttemptAssert extends AbstractAssert<TaskAttemptAssert, TaskAttempt> {

	TaskAttemptAssert(TaskAttempt attempt) {
		super(attempt, TaskAttemptAssert.class);
	}

	/** Verifies that the handler has returned, and the task is done. */
	public TaskAttemptAssert isSucceeded() {
		return has(TaskOutcome.SUCCEEDED);
	}

	/** Verifies that the attempt has failed, and the task is tried again. */
	public TaskAttemptAssert isRetried() {
		return has(TaskOutcome.RETRIED);
	}

	/**
	 * Verifies that the task is archived: its retries are used up, or it must not be
	 * retried.
	 */
	public TaskAttemptAssert isArchived() {
		return has(TaskOutcome.ARCHIVED);
	}

	/** Verifies that the task is tried later, and nothing is counted. */
	public TaskAttemptAssert isPostponed() {
		return has(TaskOutcome.POSTPONED);
	}

	/** Verifies that the handler has revoked the task. */
	public TaskAttemptAssert isRevoked() {
		return has(TaskOutcome.REVOKED);
	}

	/**
	 * Verifies how long the task waits for its next attempt.
	 * @param delay exactly what the retry policy or the handler said
	 */
	public TaskAttemptAssert after(Duration delay) {
		if (!delay.equals(this.actual.delay())) {
			failWithMessage("The next attempt should be after %s, but there is %s", delay, describe());
		}
		return this;
	}

	/** Verifies how long the task waits for its next attempt. */
	public TaskAttemptAssert afterBetween(Duration shortest, Duration longest) {
		Duration delay = this.actual.delay();
		if (delay == null || delay.compareTo(shortest) < 0 || delay.compareTo(longest) > 0) {
			failWithMessage("The next attempt should be after %s to %s, but there is %s", shortest, longest,
					describe());
		}
		return this;
	}

	/**
	 * Verifies the stored result.
	 * @param result as text
	 */
	public TaskAttemptAssert hasResult(String result) {
		byte[] stored = this.actual.result();
		String text = (stored != null) ? new String(stored, StandardCharsets.UTF_8) : null;
		if (!result.equals(text)) {
			failWithMessage("The result should be '%s', but is '%s': %s", result, text, describe());
		}
		return this;
	}

	/**
	 * Goes on with what was thrown.
	 * @return AssertJ's assertions about it; {@code isNull()} if nothing was
	 */
	public AbstractThrowableAssert<?, ? extends Throwable> error() {
		return Assertions.assertThat(this.actual.error()).as("error of %s", describe());
	}

	private TaskAttemptAssert has(TaskOutcome outcome) {
		if (this.actual.outcome() != outcome) {
			// With the stack of the handler, which tells why
			throw (AssertionError) failure("The task should be %s, but there is %s", outcome.value(), describe())
				.initCause(this.actual.error());
		}
		return this;
	}

	private String describe() {
		return this.actual.toString();
	}

}
