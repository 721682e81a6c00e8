package io.asynq.metrics;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueMetersTests {

	private final FakeInspector inspector = new FakeInspector();

	private final AtomicLong nanos = new AtomicLong();

	private final QueueSnapshots snapshots = new QueueSnapshots(this.inspector, this.nanos::get);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final QueueMeters meters = new QueueMeters(this.registry, this.snapshots);

	@BeforeEach
	void aQueue() {
		this.inspector.queue("low", 5, 20, 4);
		this.meters.follow(Set.of("low"));
	}

	@Test
	void reportsStateOfQueue() {
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
		assertThat(this.registry.get("asynq.queue.latency").tag("queue", "low").timeGauge().value()).isEqualTo(1.5);
		assertThat(gauge("asynq.queue.failures")).isEqualTo(2);
		assertThat(gauge("asynq.queue.paused")).isEqualTo(1);
		assertThat(counter("asynq.tasks.processed")).isEqualTo(20);
		assertThat(counter("asynq.tasks.failed")).isEqualTo(4);
		assertThat(this.registry.get("asynq.queue.tasks").tag("queue", "low").tag("state", "pending").gauge().value())
			.isEqualTo(5);
	}

	@Test
	void readsOncePerScrape() {
		readAll();
		assertThat(this.inspector.listed).hasValue(1);
	}

	@Test
	void readsAgainAfterOneSecond() {
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
		this.inspector.queue("low", 9, 20, 4);
		this.nanos.addAndGet(Duration.ofMillis(1000).toNanos());
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
		this.nanos.addAndGet(Duration.ofMillis(1).toNanos());
		assertThat(gauge("asynq.queue.size")).isEqualTo(10);
	}

	@Test
	void triesOncePerScrapeWhileRedisIsUnavailable() {
		this.inspector.away = true;
		readAll();
		assertThat(this.inspector.listed).hasValue(1);
		assertThat(gauge("asynq.queue.size")).isNaN();
	}

	@Test
	void keepsCountersWhileRedisIsUnavailable() {
		assertThat(counter("asynq.tasks.processed")).isEqualTo(20);
		this.inspector.away = true;
		this.nanos.addAndGet(Duration.ofSeconds(2).toNanos());
		assertThat(counter("asynq.tasks.processed")).isEqualTo(20);
	}

	@Test
	void skipsUnreadableQueue() {
		this.inspector.queue("high", 1, 0, 0);
		this.inspector.failing.add("low");
		assertThat(this.snapshots.current().queues()).containsExactly("high");
		this.meters.follow(this.snapshots.current().queues());
		assertThat(this.registry.getMeters()).isNotEmpty()
			.allMatch((meter) -> "high".equals(meter.getId().getTag("queue")));
	}

	@Test
	void removesMetersOfDeletedQueue() {
		this.meters.follow(Set.of());
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void registersReappearingQueue() {
		this.meters.follow(Set.of());
		this.meters.follow(Set.of("low"));
		assertThat(gauge("asynq.queue.size")).isEqualTo(6);
	}

	private void readAll() {
		this.registry.getMeters().forEach((meter) -> meter.measure().forEach((measurement) -> measurement.getValue()));
		assertThat(this.registry.getMeters()).extracting(Meter::getId).hasSizeGreaterThan(10);
	}

	private double gauge(String name) {
		return this.registry.get(name).tag("queue", "low").gauge().value();
	}

	private double counter(String name) {
		FunctionCounter counter = this.registry.get(name).tag("queue", "low").functionCounter();
		return counter.count();
	}

}
