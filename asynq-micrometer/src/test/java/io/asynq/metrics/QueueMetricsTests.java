package io.asynq.metrics;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.asynq.AsynqException;
import io.asynq.inspect.LimitInfo;
import io.asynq.test.FakeLimits;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class QueueMetricsTests {

	private final FakeQueues queues = new FakeQueues();

	private final FakeLimits limits = new FakeLimits();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private QueueMetrics metrics = metrics(QueueMetricsOptions.DEFAULT);

	@AfterEach
	void stop() {
		this.metrics.stop();
	}

	@Test
	void readsNothingBeforeStart() {
		this.metrics.bindTo(this.registry);
		age();
		assertThat(this.queues.reads).hasValue(0);
		assertThat(this.registry.find("asynq.queue.size").gauges()).isEmpty();
	}

	@Test
	void readsNothingUntilSomebodyReadsMeters() {
		this.queues.queue("low", 5, 0, 0);
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		this.metrics.stop();
		assertThat(this.queues.reads).hasValue(0);
	}

	@Test
	void firstLookFindsQueues() {
		this.queues.queue("low", 5, 0, 0);
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		assertThat(age()).isLessThan(60);
		assertThat(this.registry.get("asynq.queue.size").tag("queue", "low").gauge().value()).isEqualTo(6);
	}

	@Test
	void findsQueuesAgainAfterRestart() {
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		age();
		this.metrics.stop();
		assertThat(this.metrics.isRunning()).isFalse();
		this.queues.queue("low", 5, 0, 0);
		this.metrics.start();
		awaitMeters("low");
	}

	@Test
	void servesRegistryBoundLater() {
		this.queues.queue("low", 5, 0, 0);
		this.metrics.bindTo(new SimpleMeterRegistry());
		this.metrics.start();
		this.metrics.values().queues();
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.get("asynq.queue.size").tag("queue", "low").gauge().value()).isEqualTo(6);
	}

	@Test
	void registryErrorAffectsNoOtherQueueOrRegistry() {
		SimpleMeterRegistry refusing = new SimpleMeterRegistry();
		refusing.config().meterFilter(new MeterFilter() {
			@Override
			public MeterFilterReply accept(Meter.Id id) {
				if ("bad".equals(id.getTag("queue"))) {
					throw new NoClassDefFoundError("planted");
				}
				return MeterFilterReply.NEUTRAL;
			}
		});
		this.queues.queue("bad", 5, 0, 0);
		this.queues.queue("low", 5, 0, 0);
		this.metrics.bindTo(refusing);
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		age();
		awaitMeters("bad");
		awaitMeters("low");
		assertThat(refusing.find("asynq.queue.size").tag("queue", "low").gauge()).isNotNull();
	}

	@Test
	void redisThatHangsDelaysOnlyTheFirstLook() {
		CountDownLatch end = new CountDownLatch(1);
		this.queues.slowness.set(() -> {
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		this.metrics = metrics(QueueMetricsOptions.DEFAULT, Duration.ofSeconds(1));
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		assertThat(age()).isGreaterThanOrEqualTo(1);
		for (int i = 0; i < 100; i++) {
			age();
		}
		end.countDown();
		await().until(() -> age() < 1);
	}

	@Test
	void readsWhatIsChosenOnly() {
		this.queues.queue("mail:1", 5, 0, 0);
		this.queues.queue("mail:2", 5, 0, 0);
		this.queues.queue("low", 5, 0, 0);
		this.metrics = metrics(
				new QueueMetricsOptions(Duration.ofSeconds(10), Duration.ofMinutes(1), List.of("mail:*"), 1, false));
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		age();
		assertThat(this.registry.get("asynq.queue.size").gauges()).extracting((gauge) -> gauge.getId().getTag("queue"))
			.containsExactly("mail:1");
		assertThat(this.queues.estimated).isEmpty();
	}

	@Test
	void registryThatPushesIsDemand() throws Exception {
		this.queues.queue("low", 5, 0, 0);
		BlockingQueue<String> pushed = new LinkedBlockingQueue<>();
		OtlpMeterRegistry otlp = OtlpMeterRegistry.builder(pushEvery(Duration.ofMillis(50)))
			.clock(Clock.SYSTEM)
			.metricsSender((request) -> pushed.add(new String(request.getMetricsData(), StandardCharsets.ISO_8859_1)))
			.build();
		this.metrics.bindTo(otlp);
		this.metrics.start();
		await().until(() -> pushed.take().contains("asynq.queue.memory.usage.approx"));
		otlp.close();
	}

	@Test
	void refusesOptionsThatCannotWork() {
		Duration second = Duration.ofSeconds(1);
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> new QueueMetricsOptions(Duration.ZERO, second, List.of(), 1, true))
			.withMessageContaining("'interval'");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> new QueueMetricsOptions(second, Duration.ofMillis(999), List.of(), 1, true))
			.withMessageContaining("'maxAge'");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> new QueueMetricsOptions(second, second, List.of(), 0, true))
			.withMessageContaining("'maxQueues'");
	}

	@Test
	void firstLookFindsLimits() {
		this.queues.limited("low", 50, 40);
		this.limits.limits.add(new LimitInfo("pdf", 3, null, 2, 40, 1));
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		age();
		assertThat(this.registry.get("asynq.limit.held").tag("limit", "pdf").gauge().value()).isEqualTo(2);
		assertThat(this.registry.get("asynq.queue.limit.waiting").tag("queue", "low").gauge().value()).isEqualTo(40);
	}

	private QueueMetrics metrics(QueueMetricsOptions options) {
		return metrics(options, Duration.ofMinutes(1));
	}

	private QueueMetrics metrics(QueueMetricsOptions options, Duration longestWait) {
		return new QueueMetrics(this.queues, this.limits, options, System::nanoTime, longestWait);
	}

	private double age() {
		return this.registry.get("asynq.queue.snapshot.age").timeGauge().value();
	}

	private void awaitMeters(String queue) {
		await().until(() -> this.registry.find("asynq.queue.size").tag("queue", queue).gauge() != null);
	}

	private static OtlpConfig pushEvery(Duration step) {
		return new OtlpConfig() {

			@Override
			public String get(String key) {
				return null;
			}

			@Override
			public Duration step() {
				return step;
			}

		};
	}

}
