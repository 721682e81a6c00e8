package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.server.TaskWaitListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A queue's timer exists from its first task on; it belongs to the process and can be
 * summed.
 */
final class TaskWaitMetrics implements MeterBinder, TaskWaitListener {

	private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	private final Map<String, List<Timer>> timers = new ConcurrentHashMap<>();

	@Override
	public void bindTo(MeterRegistry registry) {
		this.registries.add(registry);
		this.timers.clear();
	}

	@Override
	public void onTaskTaken(String queue, Duration waited) {
		this.timers.computeIfAbsent(queue, this::timers).forEach((timer) -> timer.record(waited));
	}

	private List<Timer> timers(String queue) {
		return this.registries.stream().map((registry) -> timer(queue, registry)).toList();
	}

	private static Timer timer(String queue, MeterRegistry registry) {
		return Timer.builder("asynq.task.wait")
			.description("Time for which tasks were pending before a worker got them")
			.tag("queue", queue)
			.register(registry);
	}

}
