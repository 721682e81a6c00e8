package io.asynq.spring.boot.autoconfigure;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

import io.asynq.AsynqException;
import io.asynq.broker.Broker;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while Redis answers, of a cluster one master at least. Tells what the server is
 * doing, which queues it serves, and which masters of a cluster do not answer; that a
 * queue is paused or late is not its business.
 */
final class AsynqHealthIndicator extends AbstractHealthIndicator {

	private final Broker broker;

	private final @Nullable AsynqServer server;

	private final @Nullable ServerOptions options;

	AsynqHealthIndicator(Broker broker, @Nullable AsynqServer server, @Nullable ServerOptions options) {
		super("Redis, where the tasks are kept, does not answer");
		this.broker = broker;
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
			this.broker.queues().ping();
			builder.up();
		}
		catch (AsynqException ex) {
			// Not as an exception: the superclass would log its stack at every check
			builder.down().withDetail("error", String.valueOf(ex.getMessage()));
		}
	}

}
