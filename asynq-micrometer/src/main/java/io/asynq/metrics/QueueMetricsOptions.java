package io.asynq.metrics;

import java.time.Duration;
import java.util.List;

import io.asynq.AsynqException;

/**
 * Settings of {@link QueueMetrics}. Immutable.
 *
 * @param interval the time between two reads while somebody reads the meters; positive,
 * 10 s by default
 * @param maxAge how old values may become while queues cannot be read, before they are
 * NaN; not shorter than the interval, 1 min by default
 * @param names which queues have meters: names in which {@code *} stands for any
 * characters; all queues by default, and if there are none
 * @param maxQueues how many queues have meters at most; at least 1, 500 by default
 * @param memoryUsage whether the memory of queues is estimated, {@code true} by default;
 * needs the command {@code MEMORY USAGE}
 */
public record QueueMetricsOptions(Duration interval, Duration maxAge, List<String> names, int maxQueues,
		boolean memoryUsage) {

	/** All defaults. */
	public static final QueueMetricsOptions DEFAULT = new QueueMetricsOptions(Duration.ofSeconds(10),
			Duration.ofMinutes(1), List.of(), 500, true);

	/**
	 * @throws AsynqException if a setting is out of range
	 */
	public QueueMetricsOptions {
		names = List.copyOf(names);
		if (interval.isNegative() || interval.isZero()) {
			throw new AsynqException("Option 'interval' must be positive, but is " + interval);
		}
		if (maxAge.compareTo(interval) < 0) {
			throw new AsynqException(
					"Option 'maxAge' must not be shorter than the interval " + interval + ", but is " + maxAge);
		}
		if (maxQueues < 1) {
			throw new AsynqException("Option 'maxQueues' must be at least 1, but is " + maxQueues);
		}
	}

}
