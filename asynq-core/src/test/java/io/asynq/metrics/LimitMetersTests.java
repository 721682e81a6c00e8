package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.info.LimitInfo;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LimitMetersTests {

	private final FakeQueues queues = new FakeQueues();

	private final FakeLimits limits = new FakeLimits();

	private final AtomicLong nanos = new AtomicLong();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private QueueMetrics metrics = metrics(QueueMetricsOptions.DEFAULT);

	@AfterEach
	void stop() {
		this.metrics.stop();
	}

	@Test
	void reportsEachLimitAndHowManyTasksOfAQueueWait() {
		this.queues.queue("low", 5, 0, 0);
		this.queues.queue("high", 5, 0, 0);
		this.limits.limits.add(new LimitInfo("pdf", 3, null, 2, 40, 1));
		this.limits.limits.add(new LimitInfo("bank", 0, "10/s", 1, 0, 7));
		this.limits.waiting.put("low", 40L);
		start();
		assertThat(limit("concurrent", "pdf")).isEqualTo(3);
		assertThat(limit("held", "pdf")).isEqualTo(2);
		assertThat(limit("waiting", "pdf")).isEqualTo(40);
		assertThat(limit("keys", "bank")).isEqualTo(7);
		assertThat(this.registry.find("asynq.limit.concurrent").tag("limit", "bank").gauge())
			.as("it limits starts only")
			.isNull();
		assertThat(waiting("low")).isEqualTo(40);
		assertThat(waiting("high")).isZero();
	}

	@Test
	void queuesAreAskedOnlyWhileTasksWait() {
		this.queues.queue("low", 5, 0, 0);
		this.limits.limits.add(new LimitInfo("pdf", 3, null, 3, 0, 1));
		start();
		assertThat(waiting("low")).isZero();
		assertThat(this.limits.asked).isEmpty();
	}

	@Test
	void metersOfLimitThatIsGoneAreRemoved() {
		this.limits.limits.add(new LimitInfo("pdf", 3, null, 2, 40, 1));
		start();
		this.limits.limits.clear();
		again();
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.noneMatch((name) -> name.startsWith("asynq.limit."));
	}

	@Test
	void valuesThatAreTooOldAreUnknown() {
		this.queues.queue("low", 5, 0, 0);
		this.limits.limits.add(new LimitInfo("pdf", 3, null, 2, 40, 1));
		start();
		this.limits.away = true;
		this.nanos.addAndGet(Duration.ofMinutes(1).toNanos() + 1);
		again();
		assertThat(limit("held", "pdf")).isNaN();
		assertThat(waiting("low")).isNaN();
		assertThat(this.registry.get("asynq.queue.size").tag("queue", "low").gauge().value())
			.as("only limits cannot be read")
			.isEqualTo(6);
		assertThat(this.registry.get("asynq.queue.snapshot.errors").functionCounter().count()).isPositive();
	}

	@Test
	void thereAreNoMoreLimitsThanQueues() {
		for (int i = 0; i < 10; i++) {
			this.limits.limits.add(new LimitInfo("limit" + i, 3, null, 2, 40, 1));
		}
		this.limits.limits.add(0, new LimitInfo("x".repeat(1025), 3, null, 2, 40, 1));
		this.metrics = metrics(
				new QueueMetricsOptions(Duration.ofSeconds(10), Duration.ofMinutes(1), List.of(), 2, false));
		start();
		assertThat(this.registry.get("asynq.limit.held").gauges()).extracting((gauge) -> gauge.getId().getTag("limit"))
			.containsExactlyInAnyOrder("limit0", "limit1");
	}

	@Test
	void registryThatFailsHarmsNoQueue() {
		this.registry.config().meterFilter(new MeterFilter() {
			@Override
			public MeterFilterReply accept(Meter.Id id) {
				if (id.getName().startsWith("asynq.limit.")) {
					throw new NoClassDefFoundError("planted");
				}
				return MeterFilterReply.NEUTRAL;
			}
		});
		this.queues.queue("low", 5, 0, 0);
		this.limits.limits.add(new LimitInfo("pdf", 3, null, 2, 40, 1));
		start();
		assertThat(waiting("low")).isZero();
	}

	private QueueMetrics metrics(QueueMetricsOptions options) {
		return new QueueMetrics(this.queues, this.limits, options, this.nanos::get, Duration.ofMinutes(1));
	}

	/** The first who reads a meter waits until all was read. */
	private void start() {
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		this.metrics.values().age();
	}

	private void again() {
		this.metrics.stop();
		this.metrics.start();
		this.metrics.values().age();
	}

	private double limit(String name, String limit) {
		return this.registry.get("asynq.limit." + name).tag("limit", limit).gauge().value();
	}

	private double waiting(String queue) {
		return this.registry.get("asynq.queue.limit.waiting").tag("queue", queue).gauge().value();
	}

}
