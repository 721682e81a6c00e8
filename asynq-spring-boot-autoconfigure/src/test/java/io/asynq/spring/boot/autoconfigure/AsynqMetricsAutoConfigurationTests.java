package io.asynq.spring.boot.autoconfigure;

import io.asynq.broker.BrokenTaskListener;
import io.asynq.client.AsynqClient;
import io.asynq.metrics.BrokenTaskMetrics;
import io.asynq.metrics.QueueMetrics;
import io.asynq.metrics.ServerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class AsynqMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired()
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

	@Test
	void publishesQueuesServerAndBrokenTasks() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(QueueMetrics.class)
			.hasSingleBean(ServerMetrics.class)
			.hasSingleBean(BrokenTaskMetrics.class));
	}

	@Test
	void countsBrokenTasksBesideListenerOfApplication() {
		this.runner.withBean(BrokenTaskListener.class, () -> (task) -> {
		}).run((context) -> assertThat(context).hasNotFailed().hasSingleBean(BrokenTaskMetrics.class));
	}

	@Test
	void publishesNoQueuesWhenDisabled() {
		this.runner.withPropertyValues("asynq.metrics.queues.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(QueueMetrics.class)
				.hasSingleBean(ServerMetrics.class));
	}

	@Test
	void publishesNothingOfDisabledServer() {
		this.runner.withPropertyValues("asynq.server.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(QueueMetrics.class)
				.doesNotHaveBean(ServerMetrics.class));
	}

	@Test
	void backsOffWithoutARegistry() {
		AsynqContexts.wired().run((context) -> assertThat(context).doesNotHaveBean(QueueMetrics.class));
	}

	@Test
	void backsOffWithoutMicrometer() {
		new ApplicationContextRunner().withUserConfiguration(AsynqContexts.Application.class)
			.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.micrometer"))
			.run((context) -> assertThat(context).hasSingleBean(AsynqClient.class)
				.doesNotHaveBean(AsynqMetricsAutoConfiguration.class));
	}

}
