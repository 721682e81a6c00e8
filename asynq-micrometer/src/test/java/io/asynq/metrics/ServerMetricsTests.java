package io.asynq.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.metrics.BrokenTaskMetrics;
import io.asynq.internal.metrics.ServerMetrics;
import io.asynq.internal.worker.BrokenTasks;
import io.asynq.server.AsynqServer;
import io.asynq.server.BrokenTask;
import io.asynq.server.ServerStatistics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class ServerMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void reportsActivityOfServer() {
		AsynqServer server = mock();
		given(server.statistics()).willReturn(
				new ServerStatistics(1, 10, 18, Duration.ofMillis(2500), 2, 3, 4, 1, 12, 13, Duration.ofMillis(1500),
						14, 15, 5, 16, 11, 9, 17, Map.of("low", new ServerStatistics.Aggregation(6, 7, 8))));
		new ServerMetrics(server).bindTo(this.registry);
		assertThat(this.registry.get("asynq.server.workers.active").gauge().value()).isEqualTo(1);
		assertThat(this.registry.get("asynq.server.workers.max").gauge().value()).isEqualTo(10);
		assertThat(this.registry.get("asynq.server.tasks.held").gauge().value()).isEqualTo(18);
		assertThat(this.registry.get("asynq.server.heartbeat.age").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(2.5);
		assertThat(this.registry.get("asynq.server.leases.lost").functionCounter().count()).isEqualTo(2);
		assertThat(this.registry.get("asynq.server.outcomes.dropped").functionCounter().count()).isEqualTo(3);
		assertThat(this.registry.get("asynq.server.handlers.stuck").functionCounter().count()).isEqualTo(4);
		assertThat(this.registry.get("asynq.stuck.handlers").gauge().value()).isEqualTo(1);
		assertThat(this.registry.get("asynq.server.outcomes.unwritten").gauge().value()).isEqualTo(12);
		assertThat(this.registry.get("asynq.server.dequeues.failed").functionCounter().count()).isEqualTo(13);
		assertThat(this.registry.get("asynq.server.forwarder.lag").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(1.5);
		assertThat(this.registry.get("asynq.server.tasks.archived").functionCounter().count()).isEqualTo(14);
		assertThat(this.registry.get("asynq.server.tasks.timed.out").functionCounter().count()).isEqualTo(15);
		assertThat(this.registry.get("asynq.server.tasks.recovered").functionCounter().count()).isEqualTo(5);
		assertThat(this.registry.get("asynq.server.tasks.crashed").functionCounter().count()).isEqualTo(16);
		assertThat(this.registry.get("asynq.server.tasks.poisoned").functionCounter().count()).isEqualTo(11);
		assertThat(this.registry.get("asynq.server.tasks.postponed").functionCounter().count()).isEqualTo(9);
		assertThat(this.registry.get("asynq.server.tasks.unhandled").functionCounter().count()).isEqualTo(17);
		assertThat(aggregations("asynq.server.aggregations", "result", "succeeded")).isEqualTo(6);
		assertThat(aggregations("asynq.server.aggregations", "result", "failed")).isEqualTo(7);
		assertThat(aggregations("asynq.server.tasks.aggregated")).isEqualTo(8);
	}

	@Test
	void stoppedServerHasNoHeartbeatAndNoLag() {
		AsynqServer server = mock();
		given(server.statistics())
			.willReturn(new ServerStatistics(0, 10, 0, null, 0, 0, 0, 0, 0, 0, null, 0, 0, 0, 0, 0, 0, 0, Map.of()));
		new ServerMetrics(server).bindTo(this.registry);
		assertThat(this.registry.get("asynq.server.forwarder.lag").timeGauge().value()).isNaN();
		assertThat(this.registry.get("asynq.server.heartbeat.age").timeGauge().value()).isNaN();
	}

	@Test
	void reportsBrokenTasksByKind() {
		BrokenTasks brokenTasks = new BrokenTasks();
		brokenTasks.onBrokenTask(new BrokenTask("low", "1", BrokenTask.Kind.MISSING));
		new BrokenTaskMetrics(brokenTasks).bindTo(this.registry);
		assertThat(count("missing")).isEqualTo(1);
		assertThat(count("wrong_type")).isZero();
		assertThat(count("undecodable")).isZero();
	}

	private double aggregations(String name, String... tags) {
		return this.registry.get(name).tag("queue", "low").tags(tags).functionCounter().count();
	}

	private double count(String kind) {
		return this.registry.get("asynq.tasks.broken").tag("kind", kind).functionCounter().count();
	}

}
