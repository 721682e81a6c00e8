package io.asynq.interop.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.Page;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.interop.oracle.JavaActor.Operation;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.SchedulerOptions;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Operations of schedulers, and how these are shown.
 */
final class JavaSchedulers implements AutoCloseable {

	private final Map<String, AsynqScheduler> running = new HashMap<>();

	private final RedisBroker broker;

	private final AsynqInspector inspector;

	JavaSchedulers(RedisBroker broker) {
		this.broker = broker;
		this.inspector = AsynqInspector.create(broker, Clock.systemUTC());
	}

	void addTo(Map<String, Operation> operations) {
		operations.put("scheduler.start", this::start);
		operations.put("scheduler.unregister", (with) -> {
			AsynqScheduler scheduler = this.running.get(with.text("name"));
			this.inspector.schedulerEntries()
				.stream()
				.filter((entry) -> entry.spec().equals(with.text("spec")))
				.forEach((entry) -> scheduler.unregister(entry.id()));
			return null;
		});
		operations.put("scheduler.stop", (with) -> {
			this.running.remove(with.text("name")).stop();
			return null;
		});
		operations.put("schedulerEntries", (with) -> {
			Map<String, Object> views = new HashMap<>();
			this.inspector.schedulerEntries().forEach((entry) -> views.put(entry.spec(), view(entry)));
			return views;
		});
		operations.put("schedulerEvents",
				(with) -> this.inspector.schedulerEntries()
					.stream()
					.filter((entry) -> entry.spec().equals(with.text("spec")))
					.flatMap((entry) -> this.inspector.schedulerEnqueueEvents(entry.id(), Page.of(1, 10)).stream())
					.collect(Collectors.toMap(EnqueueEvent::taskId, (event) -> Views.seconds(event.enqueuedAt()))));
	}

	@Override
	public void close() {
		this.running.values().forEach(AsynqScheduler::stop);
	}

	private @Nullable Object start(Arguments with) {
		SchedulerOptions options = SchedulerOptions.builder()
			.clock(Clock.systemUTC())
			.heartbeatInterval(Duration.ofSeconds(1))
			.build();
		AsynqScheduler scheduler = AsynqScheduler.create(this.broker,
				ClientOptions.builder().clock(Clock.systemUTC()).build(), options, List.of());
		this.running.put(with.text("name"), scheduler);
		for (JsonNode entry : with.node().required("entries")) {
			Arguments periodic = new Arguments(entry);
			TaskOptions enqueued = JavaClient.options(new Arguments(entry.path("options")));
			scheduler.register(
					PeriodicTaskDefinition
						.of(periodic.text("spec"),
								Task.of(periodic.text("type"),
										periodic.text("payload").getBytes(StandardCharsets.UTF_8)))
						.options((builder) -> copy(enqueued, builder)));
		}
		scheduler.start();
		return null;
	}

	private static void copy(TaskOptions options, TaskOptions.Builder builder) {
		if (options.queue() != null) {
			builder.queue(options.queue());
		}
		if (options.taskId() != null) {
			builder.taskId(options.taskId());
		}
		if (options.maxRetry() != null) {
			builder.maxRetry(options.maxRetry());
		}
		if (options.timeout() != null) {
			builder.timeout(options.timeout());
		}
		if (options.uniqueTtl() != null) {
			builder.unique(options.uniqueTtl());
		}
		if (options.retention() != null) {
			builder.retention(options.retention());
		}
	}

	private static Map<String, Object> view(SchedulerEntry entry) {
		return Map.of("type", entry.task().type(), "payload", Views.text(entry.task().payload()), "options",
				entry.optionTexts(), "next", Views.seconds(entry.next()), "fired", entry.previous() != null);
	}

}
