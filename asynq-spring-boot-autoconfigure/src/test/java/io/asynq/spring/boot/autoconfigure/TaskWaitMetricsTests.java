package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TaskWaitMetricsTests {

	private final TaskWaitMetrics waits = new TaskWaitMetrics();

	@Test
	void timesTasksByQueueInEachRegistry() {
		SimpleMeterRegistry first = new SimpleMeterRegistry();
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.waits.bindTo(first);
		this.waits.onTaskTaken("low", Duration.ofSeconds(2));
		this.waits.bindTo(second);
		this.waits.onTaskTaken("low", Duration.ofSeconds(4));
		this.waits.onTaskTaken("high", Duration.ofSeconds(1));
		Timer low = first.get("asynq.task.wait").tag("queue", "low").timer();
		assertThat(low.count()).isEqualTo(2);
		assertThat(low.totalTime(TimeUnit.SECONDS)).isEqualTo(6);
		assertThat(first.get("asynq.task.wait").tag("queue", "high").timer().count()).isOne();
		assertThat(second.get("asynq.task.wait").tag("queue", "low").timer().count()).isOne();
	}

	@Test
	void tasksBeforeThereIsARegistryDoNoHarm() {
		this.waits.onTaskTaken("low", Duration.ofSeconds(2));
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		this.waits.bindTo(registry);
		assertThat(registry.getMeters()).isEmpty();
	}

}
