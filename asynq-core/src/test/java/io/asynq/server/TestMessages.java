package io.asynq.server;

import java.time.Clock;
import java.time.Duration;

import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
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
		return new Attempt(leased(message), 0, Clock.systemUTC().instant(), new FakeCompleter()::writeResult);
	}

}
