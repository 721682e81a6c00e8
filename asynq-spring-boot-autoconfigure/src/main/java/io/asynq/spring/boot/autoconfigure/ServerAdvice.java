package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Warns of settings that are valid but probably not intended.
 */
final class ServerAdvice implements Runnable {

	private static final Logger logger = OneLineLogger.of(ServerAdvice.class);

	/** Much less than the default duration of a lease. */
	private static final Duration LONGEST_COMMAND = Duration.ofSeconds(10);

	private final ServerOptions options;

	private final Duration phaseTimeout;

	private final boolean ownConnections;

	private final @Nullable Duration commandTimeout;

	/**
	 * @param commandTimeout zero for no limit, {@code null} if unknown
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

	private void adviseOnCommands() {
		Duration timeout = this.commandTimeout;
		if (timeout != null && (timeout.isZero() || timeout.compareTo(LONGEST_COMMAND) > 0)) {
			logger.warn(
					"Commands wait {} for an answer of Redis: while Redis hangs, so do callers that enqueue, and a lease"
							+ " ends before the server notices. Set a shorter time-out: spring.data.redis.timeout=2s",
					timeout.isZero() ? "for ever" : timeout);
		}
	}

	private void adviseOnConnections() {
		if (!this.ownConnections) {
			logger.warn("The asynq server shares the application's Redis connections, because the"
					+ " RedisConnectionFactory is a subclass or a wrapper, which cannot be copied, or because a"
					+ " RedisBroker bean was created without ServerConnections: while handlers use all connections,"
					+ " leases expire and outcomes wait. Declare another RedisConnectionFactory for the same Redis with"
					+ " @AsynqServerRedis and @Bean(defaultCandidate = false), or give the RedisBroker"
					+ " ServerConnections.");
		}
	}

}
