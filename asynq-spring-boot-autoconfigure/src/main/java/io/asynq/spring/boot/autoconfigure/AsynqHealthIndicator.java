package io.asynq.spring.boot.autoconfigure;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

import io.asynq.AsynqException;
import io.asynq.broker.QueueReader;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while Redis answers, or at least one master of a cluster. Its details are the
 * server's state and queues, and the masters that do not answer. It ignores paused and
 * slow queues.
 */
final class AsynqHealthIndicator extends AbstractHealthIndicator {

	private final QueueReader redis;

	private final @Nullable AsynqServer server;

	private final @Nullable ServerOptions options;

	AsynqHealthIndicator(QueueReader redis, @Nullable AsynqServer server, @Nullable ServerOptions options) {
		super("Redis, which keeps the tasks, does not answer");
		this.redis = redis;
		this.server = server;
		this.options = options;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		if (this.server != null && this.options != null) {
			Map<String, Integer> queues = new TreeMap<>(this.options.queues().weights());
			builder.withDetail("server", this.server.state().wireName()).withDetail("queues", queues);
			Map<String, SortedSet<String>> away = this.server.nodesAway();
			if (!away.isEmpty()) {
				builder.withDetail("nodesAway", away);
			}
		}
		try {
			this.redis.ping();
			builder.up();
		}
		catch (AsynqException ex) {
			// The message only: with an exception, the superclass would log a stack trace
			// at every check
			builder.down().withDetail("error", String.valueOf(ex.getMessage()));
		}
	}

}
