package io.asynq.interop.peer;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A server that both sides can run; it polls several times a second.
 *
 * @param concurrency tasks at a time
 * @param queues weight by name
 * @param shutdownTimeout how long running tasks may continue at a shutdown
 * @param retryDelay how long a failed task waits
 * @param behaviours by task type; other types succeed
 */
public record ServerSpec(int concurrency, Map<String, Integer> queues, Duration shutdownTimeout, Duration retryDelay,
		Map<String, Behaviour> behaviours) {

	/** How often a server looks for pending tasks. */
	static final Duration TASK_CHECK = Duration.ofMillis(100);

	/** How often a server looks for due and for expired tasks. */
	static final Duration DELAYED_CHECK = Duration.ofMillis(200);

	/**
	 * Returns a server of the default queue that retries failed tasks much later.
	 */
	public static ServerSpec ofDefaultQueue() {
		return new ServerSpec(2, Map.of("default", 1), Duration.ofSeconds(2), Duration.ofHours(1), Map.of());
	}

	public ServerSpec with(String type, Behaviour behaviour) {
		Map<String, Behaviour> more = new HashMap<>(this.behaviours);
		more.put(type, behaviour);
		return new ServerSpec(this.concurrency, this.queues, this.shutdownTimeout, this.retryDelay, more);
	}

	public ServerSpec withConcurrency(int concurrency) {
		return new ServerSpec(concurrency, this.queues, this.shutdownTimeout, this.retryDelay, this.behaviours);
	}

	public ServerSpec withQueues(Map<String, Integer> queues) {
		return new ServerSpec(this.concurrency, queues, this.shutdownTimeout, this.retryDelay, this.behaviours);
	}

	public ServerSpec withShutdownTimeout(Duration timeout) {
		return new ServerSpec(this.concurrency, this.queues, timeout, this.retryDelay, this.behaviours);
	}

	public ServerSpec withRetryDelay(Duration delay) {
		return new ServerSpec(this.concurrency, this.queues, this.shutdownTimeout, delay, this.behaviours);
	}

}
