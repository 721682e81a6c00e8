package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.internal.metrics.BrokenTaskMetrics;
import io.asynq.internal.metrics.ServerMetrics;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.metrics.QueueCollector;
import io.asynq.metrics.QueueMetrics;
import io.asynq.metrics.QueueMetricsOptions;
import io.asynq.server.BrokenTaskListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class AsynqMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired()
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

	@Test
	void publishesQueuesServerSchedulerAndBrokenTasks() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(QueueMetrics.class)
			.hasSingleBean(ServerMetrics.class)
			.hasSingleBean(SchedulerMetrics.class)
			.hasSingleBean(PeriodicMetrics.class)
			.hasSingleBean(TaskWaitMetrics.class)
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
				.doesNotHaveBean(PeriodicMetrics.class)
				.hasSingleBean(ServerMetrics.class));
	}

	@Test
	void publishesNothingOfDisabledServer() {
		this.runner.withPropertyValues("asynq.server.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(QueueMetrics.class)
				.doesNotHaveBean(ServerMetrics.class));
	}

	@Test
	void publishesNothingOfDisabledScheduler() {
		this.runner.withPropertyValues("asynq.scheduler.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SchedulerMetrics.class));
	}

	@Test
	void publishesPoolsOfServerAndApplication() {
		this.runner.withPropertyValues("spring.data.redis.jedis.pool.max-active=5").run((context) -> {
			MeterRegistry registry = bound(context);
			assertThat(connections(registry, "max", "application")).isEqualTo(5);
			assertThat(connections(registry, "max", "server")).isEqualTo(ServerConnections.MAX);
			for (String name : List.of("active", "idle", "pending")) {
				assertThat(connections(registry, name, "application")).as(name).isZero();
				assertThat(connections(registry, name, "server")).as(name).isZero();
			}
		});
	}

	@Test
	void publishesNoPoolOfServerThatSharesThatOfTheApplication() {
		this.runner.withPropertyValues("asynq.server.enabled=false")
			.run((context) -> assertThat(bound(context).get("asynq.connections.max").gauges()).singleElement()
				.extracting((gauge) -> gauge.getId().getTag("pool"))
				.isEqualTo("application"));
	}

	@Test
	void publishesNoPoolOverLettuce() {
		this.runner.withPropertyValues("spring.data.redis.client-type=lettuce")
			.run((context) -> assertThat(bound(context).getMeters()).isEmpty());
	}

	@Test
	void publishesSeriesOfPrometheusOnItsRegistry() {
		PrometheusRegistry prometheus = new PrometheusRegistry();
		this.runner.withBean(PrometheusRegistry.class, () -> prometheus).run((context) -> {
			assertThat(context).hasSingleBean(QueueCollector.class);
			assertThat(names(prometheus)).containsExactlyInAnyOrder("asynq_queue_paused_total",
					"asynq_tasks_enqueued_total");
		});
		assertThat(names(prometheus)).isEmpty();
	}

	@Test
	void publishesNothingOnPrometheusWhenQueuesAreDisabled() {
		this.runner.withBean(PrometheusRegistry.class, PrometheusRegistry::new)
			.withPropertyValues("asynq.metrics.queues.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(QueueCollector.class));
	}

	@Test
	void publishesMetersWithoutPrometheus() {
		new ApplicationContextRunner().withUserConfiguration(AsynqContexts.Application.class)
			.withPropertyValues("asynq.server.auto-startup=false", "spring.data.redis.client-type=jedis")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withClassLoader(new FilteredClassLoader("io.prometheus", "io.micrometer.prometheusmetrics"))
			.run((context) -> assertThat(context).hasSingleBean(QueueMetrics.class)
				.doesNotHaveBean(AsynqPrometheusAutoConfiguration.class));
	}

	@Test
	void hasDefaultsOfOptions() {
		assertThat(options()).isEqualTo(QueueMetricsOptions.DEFAULT);
	}

	@Test
	void propertiesReachEveryOption() {
		assertThat(options("asynq.metrics.queues.interval=3s", "asynq.metrics.queues.max-age=4s",
				"asynq.metrics.queues.names=mail:*,low", "asynq.metrics.queues.max-queues=5",
				"asynq.metrics.queues.memory-usage=false"))
			.isEqualTo(new QueueMetricsOptions(Duration.ofSeconds(3), Duration.ofSeconds(4), List.of("mail:*", "low"),
					5, false));
	}

	@ParameterizedTest
	@CsvSource({ "interval, 0s", "max-age, 9s", "max-queues, 0" })
	void settingThatCannotWorkStopsTheStart(String name, String value) {
		this.runner.withPropertyValues("asynq.metrics.queues." + name + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("asynq.metrics.queues." + name)
				.isInstanceOf(InvalidAsynqPropertyException.class));
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

	private static MeterRegistry bound(ApplicationContext context) {
		MeterRegistry registry = context.getBean(MeterRegistry.class);
		context.getBean(ConnectionMetrics.class).bindTo(registry);
		return registry;
	}

	private static double connections(MeterRegistry registry, String name, String pool) {
		return registry.get("asynq.connections." + name).tag("pool", pool).gauge().value();
	}

	private static Stream<String> names(PrometheusRegistry prometheus) {
		return prometheus.scrape().stream().map((snapshot) -> snapshot.getMetadata().getName());
	}

	private static QueueMetricsOptions options(String... properties) {
		AsynqProperties bound = new Binder(new MapConfigurationPropertySource(Stream.of(properties)
			.collect(Collectors.toMap((property) -> property.split("=")[0], (property) -> property.split("=")[1]))))
			.bindOrCreate("asynq", Bindable.of(AsynqProperties.class));
		return bound.metrics().queues().options();
	}

}
