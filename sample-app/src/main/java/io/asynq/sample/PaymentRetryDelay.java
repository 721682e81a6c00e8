package io.asynq.sample;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.RetryDelayPolicy;
import io.asynq.Task;
import org.springframework.stereotype.Component;

/**
 * Retries declined payments after one to three seconds and everything else as asynq does.
 */
@Component
class PaymentRetryDelay implements RetryDelayPolicy {

	private final RetryDelayPolicy others = RetryDelayPolicy.exponential();

	@Override
	public Duration delay(int retried, Throwable error, Task task) {
		if (!(error instanceof PaymentDeclinedException)) {
			return this.others.delay(retried, error, task);
		}
		// The retry time is cut to whole seconds: two become one to two
		return Duration.ofMillis(ThreadLocalRandom.current().nextLong(2000, 3001));
	}

}
