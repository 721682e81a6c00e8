package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import io.asynq.metrics.QueueMetricsOptions;

final class QueueMetricsOptionsFactory {

	private static final String PREFIX = "asynq.metrics.queues.";

	private final AsynqProperties.Metrics.Queues properties;

	QueueMetricsOptionsFactory(AsynqProperties.Metrics.Queues properties) {
		this.properties = properties;
	}

	QueueMetricsOptions create() {
		AsynqProperties.Metrics.Queues queues = this.properties;
		require(queues.interval().compareTo(Duration.ZERO) > 0, "interval", queues.interval(), "It must be positive.");
		require(queues.maxAge().compareTo(queues.interval()) >= 0, "max-age", queues.maxAge(),
				"It must not be shorter than " + PREFIX + "interval.");
		require(queues.maxQueues() > 0, "max-queues", queues.maxQueues(),
				"It must be at least 1; " + PREFIX + "enabled=false publishes no queues.");
		return new QueueMetricsOptions(queues.interval(), queues.maxAge(), queues.names(), queues.maxQueues(),
				queues.memoryUsage());
	}

	private static void require(boolean valid, String name, Object value, String reason) {
		if (!valid) {
			throw new InvalidAsynqPropertyException(PREFIX + name, value, reason);
		}
	}

}
