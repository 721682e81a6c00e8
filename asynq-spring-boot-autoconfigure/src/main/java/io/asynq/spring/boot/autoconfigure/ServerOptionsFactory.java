package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

import io.asynq.limit.TaskLimit;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

final class ServerOptionsFactory {

	private static final String RESTARTER = "org.springframework.boot.devtools.restart.Restarter";

	static final String PREFIX = "asynq.server.";

	private final AsynqProperties.Server properties;

	private final Environment environment;

	private final Map<String, TaskLimit> limits;

	ServerOptionsFactory(AsynqProperties.Server properties, Map<String, TaskLimit> limits, Environment environment) {
		this.properties = properties;
		this.limits = limits;
		this.environment = environment;
	}

	ServerOptions create(Iterable<AsynqServerCustomizer> customizers) {
		ServerOptions.Builder options = ServerOptions.builder();
		applyQueues(options);
		this.limits.forEach(options::limit);
		applyProperties(options);
		options.virtualThreads(Threading.VIRTUAL.isActive(this.environment));
		customizers.forEach((customizer) -> customizer.customize(options));
		return requireHeartbeatWithinLease(build(options));
	}

	private void applyQueues(ServerOptions.Builder options) {
		QueueSpecFactory specs = new QueueSpecFactory(this.properties);
		specs.queues().forEach(options::queue);
		options.groupLimits(specs.groupLimits());
	}

	private void applyProperties(ServerOptions.Builder options) {
		AsynqProperties.Server server = this.properties;
		PropertyMapper map = PropertyMapper.get();
		map.from(server::strictPriority).to(options::strictPriority);
		map.from(server::wakeUp).to(options::wakeUp);
		map.from(server::logFailures).to(options::logFailures);
		map.from(server::unknownTypes).to(options::unknownTypes);
		map.from(server::cancel).to(options::cancelMode);
		// Under DevTools the signal suspends the program at the developer's terminal
		options.handleTstp(server.handleTstp() && !ClassUtils.isPresent(RESTARTER, null));
		applyFetchAhead(options);
		apply("concurrency", server.concurrency(), options::concurrency);
		apply("task-check-interval", server.taskCheckInterval(), options::taskCheckInterval);
		apply("delayed-task-check-interval", server.delayedTaskCheckInterval(), options::delayedTaskCheckInterval);
		apply("shutdown-timeout", server.shutdownTimeout(), options::shutdownTimeout);
		apply("heartbeat-interval", server.heartbeatInterval(), options::heartbeatInterval);
		apply("recover-interval", server.recoverInterval(), options::recoverInterval);
		apply("recover-grace", server.recoverGrace(), options::recoverGrace);
		apply("max-crashes", server.maxCrashes(), options::maxCrashes);
		apply("janitor-interval", server.janitorInterval(), options::janitorInterval);
		apply("janitor-batch-size", server.janitorBatchSize(), options::janitorBatchSize);
		apply("health-check-interval", server.healthCheckInterval(), options::healthCheckInterval);
		apply("unknown-types-max-age", server.unknownTypesMaxAge(), options::unknownTypesMaxAge);
		apply("stuck-handler-timeout", server.stuckHandlerTimeout(), options::stuckHandlerTimeout);
	}

	private ServerOptions build(ServerOptions.Builder options) {
		try {
			return options.build();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + "queues", this.properties.queues().keySet(),
					ex.getMessage() + ".");
		}
	}

	private void applyFetchAhead(ServerOptions.Builder options) {
		Boolean fetchAhead = this.properties.fetchAhead();
		if (this.properties.strictPriority() && Boolean.TRUE.equals(fetchAhead)) {
			throw new InvalidAsynqPropertyException(PREFIX + "fetch-ahead", fetchAhead,
					"'" + PREFIX
							+ "strict-priority' is true as well, but a task that was fetched ahead could run before"
							+ " one of a heavier queue. Remove one of the two.");
		}
		if (fetchAhead != null) {
			options.fetchAhead(fetchAhead);
		}
	}

	private <T> void apply(String name, @Nullable T value, Consumer<T> setter) {
		if (value == null) {
			return;
		}
		try {
			setter.accept(value);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + name, value, ex.getMessage() + ".");
		}
	}

	private ServerOptions requireHeartbeatWithinLease(ServerOptions options) {
		Duration lease = this.properties.leaseDuration();
		apply("lease-duration", lease, options::requireLease);
		return options;
	}

}
