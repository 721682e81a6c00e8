package io.asynq.metrics;

import io.asynq.broker.BrokenTask;
import io.asynq.broker.BrokenTasks;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerStatistics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class ServerMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void tellsWhatAServerDoes() {
		AsynqServer server = mock();
		given(server.statistics()).willReturn(new ServerStatistics(1, 2, 3, 4, 5, 6));
		new ServerMetrics(server).bindTo(this.registry);
		assertThat(this.registry.get("asynq.server.workers.active").gauge().value()).isEqualTo(1);
		assertThat(this.registry.get("asynq.server.leases.lost").functionCounter().count()).isEqualTo(2);
		assertThat(this.registry.get("asynq.server.outcomes.dropped").functionCounter().count()).isEqualTo(3);
		assertThat(this.registry.get("asynq.server.handlers.stuck").functionCounter().count()).isEqualTo(4);
		assertThat(this.registry.get("asynq.server.tasks.recovered").functionCounter().count()).isEqualTo(5);
		assertThat(this.registry.get("asynq.server.tasks.postponed").functionCounter().count()).isEqualTo(6);
	}

	@Test
	void tellsHowMuchMadeNoSenseByKind() {
		BrokenTasks brokenTasks = new BrokenTasks();
		brokenTasks.onBrokenTask(new BrokenTask("low", "1", BrokenTask.Kind.MISSING));
		new BrokenTaskMetrics(brokenTasks).bindTo(this.registry);
		assertThat(count("missing")).isEqualTo(1);
		assertThat(count("wrong_type")).isZero();
		assertThat(count("undecodable")).isZero();
	}

	private double count(String kind) {
		return this.registry.get("asynq.tasks.broken").tag("kind", kind).functionCounter().count();
	}

}
