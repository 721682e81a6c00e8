package io.asynq.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.asynq.server.AggregationStatistics;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the statistics of one server: {@code asynq.server.workers.active},
 * {@code asynq.server.workers.max}, {@code asynq.server.heartbeat.age} (seconds, NaN
 * unless the server is running) and the counters {@code asynq.server.leases.lost},
 * {@code asynq.server.outcomes.dropped}, {@code asynq.server.handlers.stuck},
 * {@code asynq.server.tasks.recovered}, {@code asynq.server.tasks.poisoned} and
 * {@code asynq.server.tasks.postponed}; by queue {@code asynq.server.aggregations} with
 * {@code result} succeeded or failed, and {@code asynq.server.tasks.aggregated}. Unlike
 * the values of queues, these belong to the process and can be summed. Safe for
 * concurrent use.
 */
public final class ServerMetrics implements MeterBinder {

	private final AsynqServer server;

	/**
	 * Creates the metrics.
	 * @param server the server
	 */
	public ServerMetrics(AsynqServer server) {
		this.server = server;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("asynq.server.workers.active", this.server, (candidate) -> candidate.statistics().activeWorkers())
			.description("Number of tasks being processed")
			.register(registry);
		Gauge.builder("asynq.server.workers.max", this.server, (candidate) -> candidate.statistics().maxWorkers())
			.description("Number of tasks that may be processed at the same time")
			.register(registry);
		TimeGauge
			.builder("asynq.server.heartbeat.age", this.server, TimeUnit.SECONDS,
					(candidate) -> seconds(candidate.statistics().sinceHeartbeat()))
			.description("Time since Redis took the server's last heartbeat")
			.register(registry);
		counter(registry, "leases.lost", "Number of attempts that ended because their lease was lost",
				ServerStatistics::leasesLost);
		counter(registry, "outcomes.dropped", "Number of outcomes that were lost", ServerStatistics::outcomesDropped);
		counter(registry, "handlers.stuck", "Number of handlers that kept running long after their attempt had ended",
				ServerStatistics::stuckHandlers);
		counter(registry, "tasks.recovered", "Number of tasks recovered after their lease was lost",
				ServerStatistics::recovered);
		counter(registry, "tasks.poisoned", "Number of tasks archived because they kept taking servers down",
				ServerStatistics::poisoned);
		counter(registry, "tasks.postponed", "Number of tasks postponed because they could not be processed yet",
				ServerStatistics::postponed);
		this.server.statistics().aggregations().keySet().forEach((queue) -> {
			aggregations(registry, queue, "succeeded", AggregationStatistics::succeeded);
			aggregations(registry, queue, "failed", AggregationStatistics::failed);
			queueCounter("tasks.aggregated", queue, AggregationStatistics::tasks)
				.description("Number of grouped tasks that were aggregated")
				.register(registry);
		});
	}

	private static double seconds(@Nullable Duration duration) {
		return (duration != null) ? duration.toNanos() / 1e9 : Double.NaN;
	}

	private void aggregations(MeterRegistry registry, String queue, String result,
			ToDoubleFunction<AggregationStatistics> reader) {
		queueCounter("aggregations", queue, reader).tag("result", result)
			.description("Number of aggregations of a group")
			.register(registry);
	}

	private FunctionCounter.Builder<AsynqServer> queueCounter(String name, String queue,
			ToDoubleFunction<AggregationStatistics> reader) {
		return FunctionCounter
			.builder("asynq.server." + name, this.server,
					(candidate) -> reader.applyAsDouble(candidate.statistics().aggregations().get(queue)))
			.tag("queue", queue);
	}

	private void counter(MeterRegistry registry, String name, String description,
			ToDoubleFunction<ServerStatistics> reader) {
		FunctionCounter
			.builder("asynq.server." + name, this.server, (candidate) -> reader.applyAsDouble(candidate.statistics()))
			.description(description)
			.register(registry);
	}

}
