package io.asynq.server;

import java.time.Clock;
import java.time.Duration;

import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.TaskMessage;
import io.asynq.server.attempt.Attempt;
import io.asynq.server.attempt.AttemptTimes;
import io.asynq.test.FakeCompleter;

/**
 * Tasks for tests.
 */
public final class TestMessages {

	private TestMessages() {
	}

	public static TaskMessage.Builder message(String id) {
		return TaskMessage.builder("email:welcome", id, "default").maxRetry(25).timeoutSeconds(1800);
	}

	public static LeasedTask leased(TaskMessage message) {
		return new LeasedTask(message,
				new Lease(message.queue(), message.id(), "fence", System.nanoTime() + Duration.ofHours(1).toNanos()));
	}

	public static Attempt attempt(TaskMessage message) {
		return new Attempt(leased(message), AttemptTimes.of(message, 0, Clock.systemUTC().instant()),
				new FakeCompleter());
	}

}
