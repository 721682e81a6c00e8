package io.asynq.server;

import java.time.Clock;
import java.time.Duration;

import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.TaskMessage;

/**
 * Tasks for tests.
 */
final class TestMessages {

	private TestMessages() {
	}

	static TaskMessage.Builder message(String id) {
		return TaskMessage.builder("email:welcome", id, "default").maxRetry(25).timeoutSeconds(1800);
	}

	static LeasedTask leased(TaskMessage message) {
		return new LeasedTask(message,
				new Lease(message.queue(), message.id(), "fence", System.nanoTime() + Duration.ofHours(1).toNanos()));
	}

	static Attempt attempt(TaskMessage message) {
		return new Attempt(leased(message), AttemptTimes.of(message, 0, Clock.systemUTC().instant()),
				(lease, result) -> true);
	}

}
