package io.asynq;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Decides how long a failed task waits for its next attempt, as Go's
 * {@code Config.RetryDelayFunc} (docs/compatibility.md, F04). Called by many threads.
 */
@FunctionalInterface
public interface RetryDelayPolicy {

	/**
	 * Returns the delay; the time of the retry is cut to whole seconds.
	 * @param retried number of retries before this failure, 0 at the first
	 * @param error what the handler threw
	 * @return the delay; zero or less means at once
	 */
	Duration delay(int retried, Throwable error, Task task);

	/**
	 * Returns the default policy, the same as Go's:
	 * {@code n⁴ + 15 + random[0,29] × (n + 1)} seconds, from 15–44 s after the first
	 * failure to about four days after the 25th.
	 */
	static RetryDelayPolicy exponential() {
		return (retried, error, task) -> {
			long n = retried;
			long jitter = ThreadLocalRandom.current().nextInt(30) * (n + 1);
			return Duration.ofSeconds(n * n * n * n + 15 + jitter);
		};
	}

}
