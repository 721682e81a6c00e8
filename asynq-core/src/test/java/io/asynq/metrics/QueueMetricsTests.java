package io.asynq.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class QueueMetricsTests {

	private final FakeInspector inspector = new FakeInspector();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final QueueMetrics metrics = new QueueMetrics(this.inspector);

	@AfterEach
	void stop() {
		this.metrics.stop();
	}

	@Test
	void readsNothingBeforeStart() {
		this.metrics.bindTo(this.registry);
		assertThat(this.inspector.listed).hasValue(0);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void findsExistingQueues() {
		this.inspector.queue("low", 5, 0, 0);
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		awaitMeters("low");
	}

	@Test
	void findsQueuesAgainAfterRestart() {
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		this.metrics.stop();
		assertThat(this.metrics.isRunning()).isFalse();
		this.inspector.queue("low", 5, 0, 0);
		this.metrics.start();
		awaitMeters("low");
	}

	@Test
	void servesRegistryBoundLater() {
		this.inspector.queue("low", 5, 0, 0);
		this.metrics.start();
		await().until(() -> this.inspector.listed.get() > 0);
		this.metrics.bindTo(this.registry);
		awaitMeters("low");
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
		this.inspector.queue("bad", 5, 0, 0);
		this.inspector.queue("low", 5, 0, 0);
		this.metrics.bindTo(refusing);
		this.metrics.bindTo(this.registry);
		this.metrics.start();
		awaitMeters("bad");
		awaitMeters("low");
		await().until(() -> refusing.find("asynq.queue.size").tag("queue", "low").gauge() != null);
	}

	private void awaitMeters(String queue) {
		await().until(() -> this.registry.find("asynq.queue.size").tag("queue", queue).gauge() != null);
	}

}
