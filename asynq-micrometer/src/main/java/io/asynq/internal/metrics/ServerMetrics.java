package io.asynq.internal.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.asynq.server.AsynqServer;
import io.asynq.server.ServerStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Unlike the values of queues, these belong to the process and can be summed.
 */
public final class ServerMetrics implements MeterBinder {

	private final AsynqServer server;

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
		Gauge.builder("asynq.server.tasks.held", this.server, (candidate) -> candidate.statistics().heldTasks())
			.description("Number of tasks that were fetched ahead and wait for a worker")
			.register(registry);
		TimeGauge
			.builder("asynq.server.heartbeat.age", this.server, TimeUnit.SECONDS,
					(candidate) -> seconds(candidate.statistics().sinceHeartbeat()))
			.description("Time since Redis took the server's last heartbeat")
			.register(registry);
		Gauge
			.builder("asynq.server.outcomes.unwritten", this.server,
					(candidate) -> candidate.statistics().unwrittenOutcomes())
			.description("Number of outcomes that Redis has not taken yet and that are sent again")
			.register(registry);
		Gauge.builder("asynq.stuck.handlers", this.server, (candidate) -> candidate.statistics().hangingHandlers())
			.description("Number of handlers that have been running for long after their attempt had ended")
			.register(registry);
		TimeGauge
			.builder("asynq.server.forwarder.lag", this.server, TimeUnit.SECONDS,
					(candidate) -> seconds(candidate.statistics().forwarderLag()))
			.description("Time for which scheduled and retry tasks should have been looked at")
			.register(registry);
		counter(registry, "dequeues.failed", "Number of calls for tasks that Redis did not answer or refused",
				ServerStatistics::dequeuesFailed);
		counter(registry, "leases.lost", "Number of attempts that ended because their lease was lost",
				ServerStatistics::leasesLost);
		counter(registry, "outcomes.dropped", "Number of outcomes that were lost", ServerStatistics::outcomesDropped);
		counter(registry, "handlers.stuck", "Number of handlers that kept running long after their attempt had ended",
				ServerStatistics::stuckHandlers);
		counter(registry, "tasks.archived", "Number of tasks archived after a failure", ServerStatistics::archived);
		counter(registry, "tasks.timed.out", "Number of attempts ended by their timeout or deadline",
				ServerStatistics::timedOut);
		counter(registry, "tasks.recovered", "Number of tasks recovered after their lease was lost",
				ServerStatistics::recovered);
		counter(registry, "tasks.crashed",
				"Number of recovered tasks that were running when a server died, this time or before",
				ServerStatistics::crashed);
		counter(registry, "tasks.poisoned", "Number of tasks archived because they kept taking servers down",
				ServerStatistics::poisoned);
		counter(registry, "tasks.postponed", "Number of tasks postponed because they could not be processed yet",
				ServerStatistics::postponed);
		counter(registry, "tasks.unhandled", "Number of attempts that found no handler, after which the task waits",
				ServerStatistics::unhandled);
		this.server.statistics().aggregations().keySet().forEach((queue) -> {
			aggregations(registry, queue, "succeeded", ServerStatistics.Aggregation::succeeded);
			aggregations(registry, queue, "failed", ServerStatistics.Aggregation::failed);
			queueCounter("tasks.aggregated", queue, ServerStatistics.Aggregation::tasks)
				.description("Number of grouped tasks that were aggregated")
				.register(registry);
		});
	}

	private static double seconds(@Nullable Duration duration) {
		return (duration != null) ? duration.toNanos() / 1e9 : Double.NaN;
	}

	private void aggregations(MeterRegistry registry, String queue, String result,
			ToDoubleFunction<ServerStatistics.Aggregation> reader) {
		queueCounter("aggregations", queue, reader).tag("result", result)
			.description("Number of aggregations of a group")
			.register(registry);
	}

	private FunctionCounter.Builder<AsynqServer> queueCounter(String name, String queue,
			ToDoubleFunction<ServerStatistics.Aggregation> reader) {
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
