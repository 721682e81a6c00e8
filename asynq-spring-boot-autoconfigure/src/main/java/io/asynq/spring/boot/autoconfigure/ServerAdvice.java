package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of settings that work but are likely not meant.
 */
final class ServerAdvice implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(ServerAdvice.class);

	private final ServerOptions options;

	private final Duration phaseTimeout;

	private final @Nullable Integer poolSize;

	/**
	 * Creates the advice.
	 * @param options the server's settings
	 * @param phaseTimeout how long Spring waits for a phase at shutdown
	 * @param poolSize connections of the Jedis pool, {@code null} if there is no such
	 * pool or it cannot be told
	 */
	ServerAdvice(ServerOptions options, Duration phaseTimeout, @Nullable Integer poolSize) {
		this.options = options;
		this.phaseTimeout = phaseTimeout;
		this.poolSize = poolSize;
	}

	@Override
	public void run() {
		adviseOnShutdown();
		adviseOnPool();
		adviseOnGroups();
	}

	private void adviseOnShutdown() {
		if (this.options.shutdownTimeout().compareTo(this.phaseTimeout) >= 0) {
			logger.warn(
					"'asynq.server.shutdown-timeout' ({}) is not shorter than"
							+ " 'spring.lifecycle.timeout-per-shutdown-phase' ({}): Spring may close Redis before"
							+ " unfinished tasks are back in their queue. Shorten the first or lengthen the second.",
					this.options.shutdownTimeout(), this.phaseTimeout);
		}
	}

	private void adviseOnGroups() {
		this.options.queuesWithGroupLimits()
			.stream()
			.filter((queue) -> !this.options.queues().weights().containsKey(queue))
			.forEach((queue) -> logger.warn(
					"'asynq.server.groups.{}' has no effect: this server does not serve queue '{}', only {}."
							+ " Add the queue to 'asynq.server.queues', or correct its name.",
					queue, queue, this.options.queues().weights().keySet()));
	}

	private void adviseOnPool() {
		if (this.poolSize != null && this.poolSize >= 0 && this.poolSize < JedisPool.NEEDED) {
			logger.warn(
					"'spring.data.redis.jedis.pool.max-active' is {}, but the asynq server needs at least {}:"
							+ " its calls and the application's own wait in line for a connection. Raise it.",
					this.poolSize, JedisPool.NEEDED);
		}
	}

}
