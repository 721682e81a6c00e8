package io.asynq;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long a failed task waits for its next attempt (asynq F04). Called by many threads.
 */
@FunctionalInterface
public interface RetryDelayPolicy {

	/**
	 * Returns the delay; the retry time is cut to whole seconds.
	 * @param retried retries done before this failure, 0 at the first one
	 * @param error what the handler threw
	 * @param task the task
	 * @return the delay; zero or less means at once
	 */
	Duration delay(int retried, Throwable error, Task task);

	/**
	 * asynq's own policy (F05): {@code n⁴ + 15 + random[0,29] × (n + 1)} seconds, from
	 * 15–44 s after the first failure to about four days after the 25th.
	 * @return the policy
	 */
	static RetryDelayPolicy exponential() {
		return (retried, error, task) -> {
			long n = retried;
			long jitter = ThreadLocalRandom.current().nextInt(30) * (n + 1);
			return Duration.ofSeconds(n * n * n * n + 15 + jitter);
		};
	}

}
