package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import io.asynq.logging.OneLineLogger;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Warns of settings that work but are likely not meant.
 */
final class ServerAdvice implements Runnable {

	private static final Logger logger = OneLineLogger.of(ServerAdvice.class);

	/** Less than any lease lasts by default, by far. */
	private static final Duration LONGEST_COMMAND = Duration.ofSeconds(10);

	private final ServerOptions options;

	private final Duration phaseTimeout;

	private final boolean ownConnections;

	private final @Nullable Duration commandTimeout;

	/**
	 * Creates the advice.
	 * @param options the server's settings
	 * @param phaseTimeout how long Spring waits for a phase at shutdown
	 * @param ownConnections whether the server has connections to Redis that the
	 * application does not use
	 * @param commandTimeout how long a command waits for Redis, zero for ever,
	 * {@code null} if that cannot be told
	 */
	ServerAdvice(ServerOptions options, Duration phaseTimeout, boolean ownConnections,
			@Nullable Duration commandTimeout) {
		this.options = options;
		this.phaseTimeout = phaseTimeout;
		this.ownConnections = ownConnections;
		this.commandTimeout = commandTimeout;
	}

	@Override
	public void run() {
		adviseOnShutdown();
		adviseOnConnections();
		adviseOnCommands();
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

	private void adviseOnCommands() {
		Duration timeout = this.commandTimeout;
		if (timeout != null && (timeout.isZero() || timeout.compareTo(LONGEST_COMMAND) > 0)) {
			logger.warn(
					"Commands wait {} for an answer of Redis: while it hangs, so does whoever enqueues, and a lease"
							+ " ends before the server knows. Set a shorter time-out: spring.data.redis.timeout=3s",
					timeout.isZero() ? "for ever" : timeout);
		}
	}

	private void adviseOnConnections() {
		if (!this.ownConnections) {
			logger.warn("The asynq server shares the application's Redis connections, because the"
					+ " RedisConnectionFactory is a subclass or a wrapper of which no copy can be made, or because a"
					+ " RedisBroker bean was created without ServerConnections: while handlers use all of them, leases"
					+ " end and outcomes wait. Declare another RedisConnectionFactory for the same Redis with"
					+ " @AsynqServerRedis and @Bean(defaultCandidate = false), or give the RedisBroker"
					+ " ServerConnections.");
		}
	}

}
