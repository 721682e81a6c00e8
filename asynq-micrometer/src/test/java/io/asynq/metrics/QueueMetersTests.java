package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.test.FakeLimits;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueMetersTests {

	private final FakeQueues queues = new FakeQueues();

	private final AtomicLong nanos = new AtomicLong();

	private final QueueSnapshots snapshots = new QueueSnapshots(Duration.ofMinutes(1), this.nanos::get);

	private final MemorySamples memory = new MemorySamples(Duration.ofMinutes(1), this.nanos::get);

	private final QueueReads reads = new QueueReads(this.queues, new QueueFilter(List.of(), 500), this.snapshots,
			this.memory);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final QueueMeters meters = meters(this.memory);

	@BeforeEach
	void aQueue() {
		this.queues.queue("low", 5, 20, 4);
		this.meters.registerOwn();
		follow();
	}

	@Test
	void reportsStateOfQueue() {
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
		assertThat(this.registry.get("asynq.queue.latency").tag("queue", "low").timeGauge().value()).isEqualTo(1.5);
		assertThat(gauge("asynq.queue.failures")).isEqualTo(2);
		assertThat(gauge("asynq.queue.paused")).isEqualTo(1);
		assertThat(gauge("asynq.queue.groups")).isEqualTo(3);
		assertThat(gauge("asynq.queue.memory.usage.approx")).isEqualTo(500);
		assertThat(counter("asynq.tasks.processed")).isEqualTo(20);
		assertThat(counter("asynq.tasks.failed")).isEqualTo(4);
		assertThat(this.registry.get("asynq.queue.tasks").tag("queue", "low").tag("state", "pending").gauge().value())
			.isEqualTo(5);
		assertThat(this.registry.get("asynq.queue.tasks").gauges()).hasSize(7);
	}

	@Test
	void readingMetersNeverReadsRedis() {
		int before = this.queues.reads.get();
		this.registry.getMeters().forEach((meter) -> meter.measure().forEach((measurement) -> measurement.getValue()));
		assertThat(this.registry.getMeters()).extracting(Meter::getId).hasSizeGreaterThan(10);
		assertThat(this.queues.reads).hasValue(before);
	}

	@Test
	void outageKeepsValuesUntilTheyAreTooOldAndAllMeters() {
		int before = this.registry.getMeters().size();
		this.queues.away = true;
		this.nanos.addAndGet(Duration.ofMinutes(1).toNanos());
		follow();
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
		assertThat(counter("asynq.tasks.processed")).isEqualTo(20);
		this.nanos.addAndGet(1);
		assertThat(gauge("asynq.queue.size")).isNaN();
		assertThat(counter("asynq.tasks.processed")).isNaN();
		assertThat(this.registry.getMeters()).hasSize(before);
		assertThat(this.registry.get("asynq.queue.snapshot.age").timeGauge().value()).isBetween(60.0, 60.1);
		assertThat(this.registry.get("asynq.queue.snapshot.errors").functionCounter().count()).isEqualTo(1);
	}

	@Test
	void unreadableQueueKeepsItsMeters() {
		this.queues.refused.add("low");
		follow();
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
	}

	@Test
	void skipsQueueThatWasNeverRead() {
		this.queues.queue("high", 1, 0, 0);
		this.queues.refused.add("high");
		follow();
		assertThat(this.registry.find("asynq.queue.size").tag("queue", "high").gauge()).isNull();
		this.queues.refused.clear();
		follow();
		assertThat(this.registry.find("asynq.queue.size").tag("queue", "high").gauge()).isNotNull();
	}

	@Test
	void removesMetersOfDeletedQueue() {
		this.queues.queues.clear();
		follow();
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.containsExactlyInAnyOrder("asynq.queue.snapshot.age", "asynq.queue.snapshot.errors");
	}

	@Test
	void registersReappearingQueue() {
		this.meters.follow(Set.of());
		this.meters.follow(Set.of("low"));
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
	}

	@Test
	void hasNoMemoryMeterWhenItIsSwitchedOff() {
		this.meters.follow(Set.of());
		meters(null).follow(Set.of("low"));
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
		assertThat(this.registry.find("asynq.queue.memory.usage.approx").gauge()).isNull();
	}

	private QueueMeters meters(MemorySamples memory) {
		ReadOnDemand notStarted = new ReadOnDemand(() -> {
		}, Duration.ofDays(1), new Demand(this.nanos::get), Duration.ZERO);
		return new QueueMeters(this.registry, new QueueValues(notStarted, this.reads, this.snapshots, memory,
				new LimitReads(new FakeLimits(), QueueMetricsOptions.DEFAULT, this.nanos::get)));
	}

	private void follow() {
		this.reads.read();
		this.meters.follow(this.snapshots.queues());
	}

	private double gauge(String name) {
		return this.registry.get(name).tag("queue", "low").gauge().value();
	}

	private double counter(String name) {
		return this.registry.get(name).tag("queue", "low").functionCounter().count();
	}

}
