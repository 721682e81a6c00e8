package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.inspect.LimitInfo;
import io.asynq.test.FakeLimits;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LimitMetersTests {

	private final FakeQueues queues = new FakeQueues();

	private final FakeLimits limits = new FakeLimits();

	private final AtomicLong nanos = new AtomicLong();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final QueueSnapshots snapshots = new QueueSnapshots(Duration.ofMinutes(1), this.nanos::get);

	private final QueueReads queueReads = new QueueReads(this.queues, new QueueFilter(List.of(), 500), this.snapshots,
			null);

	private LimitReads reads = reads(QueueMetricsOptions.DEFAULT);

	private QueueMeters queueMeters;

	private LimitMeters meters;

	@Test
	void reportsEachLimitAndHowManyTasksOfAQueueWait() {
		this.queues.limited("low", 50, 40);
		this.queues.queue("high", 5, 0, 0);
		this.limits.limits.add(new LimitInfo("pdf", 3, null, 2, 40, 1));
		this.limits.limits.add(new LimitInfo("bank", 0, "10/s", 1, 0, 7));
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
		assertThat(this.registry.get("asynq.queue.size").tag("queue", "low").gauge().value())
			.as("only limits cannot be read")
			.isEqualTo(6);
		assertThat(this.registry.get("asynq.queue.snapshot.errors").functionCounter().count()).isOne();
	}

	@Test
	void thereAreNoMoreLimitsThanQueues() {
		for (int i = 0; i < 10; i++) {
			this.limits.limits.add(new LimitInfo("limit" + i, 3, null, 2, 40, 1));
		}
		this.limits.limits.add(0, new LimitInfo("x".repeat(1025), 3, null, 2, 40, 1));
		this.reads = reads(new QueueMetricsOptions(Duration.ofSeconds(10), Duration.ofMinutes(1), List.of(), 2, false));
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

	private LimitReads reads(QueueMetricsOptions options) {
		return new LimitReads(this.limits, options, this.nanos::get);
	}

	private void start() {
		ReadOnDemand notStarted = new ReadOnDemand(() -> {
		}, Duration.ofDays(1), new Demand(this.nanos::get), Duration.ZERO);
		QueueValues values = new QueueValues(notStarted, this.queueReads, this.snapshots, null, this.reads);
		this.queueMeters = new QueueMeters(this.registry, values);
		this.queueMeters.registerOwn();
		this.meters = new LimitMeters(this.registry, values);
		again();
	}

	private void again() {
		this.queueReads.read();
		this.reads.read();
		this.queueMeters.follow(this.snapshots.queues());
		this.meters.follow();
	}

	private double limit(String name, String limit) {
		return this.registry.get("asynq.limit." + name).tag("limit", limit).gauge().value();
	}

	private double waiting(String queue) {
		return this.registry.get("asynq.queue.limit.waiting").tag("queue", queue).gauge().value();
	}

}
