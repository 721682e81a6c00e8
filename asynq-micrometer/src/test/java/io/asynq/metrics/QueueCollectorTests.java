package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.test.FakeLimits;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class QueueCollectorTests {

	private final FakeQueues queues = new FakeQueues();

	private final QueueMetrics metrics = new QueueMetrics(this.queues, new FakeLimits(), QueueMetricsOptions.DEFAULT,
			System::nanoTime, Duration.ofMinutes(1));

	private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	private QueueCollector collector;

	@BeforeEach
	void bind() {
		this.metrics.bindTo(this.registry);
		this.collector = QueueCollector.register(this.metrics, this.registry.getPrometheusRegistry());
		this.metrics.start();
	}

	@AfterEach
	void stop() {
		this.metrics.stop();
	}

	@Test
	void firstScrapeHasAllSeries() {
		this.queues.queue("low", 5, 20, 4);
		assertThat(this.registry.scrape().lines()).contains("# TYPE asynq_tasks_enqueued_total gauge",
				"asynq_tasks_enqueued_total{queue=\"low\",state=\"pending\"} 5.0",
				"asynq_tasks_enqueued_total{queue=\"low\",state=\"retry\"} 1.0",
				"# TYPE asynq_queue_paused_total gauge", "asynq_queue_paused_total{queue=\"low\"} 1.0",
				"# TYPE asynq_queue_size gauge", "asynq_queue_size{queue=\"low\"} 6.0",
				"asynq_queue_latency_seconds{queue=\"low\"} 1.5",
				"asynq_queue_memory_usage_approx_bytes{queue=\"low\"} 500.0",
				"# TYPE asynq_tasks_processed_total counter", "asynq_tasks_processed_total{queue=\"low\"} 20.0",
				"asynq_tasks_failed_total{queue=\"low\"} 4.0", "asynq_queue_paused{queue=\"low\"} 1.0",
				"asynq_queue_groups{queue=\"low\"} 3.0", "asynq_queue_snapshot_errors_total 0.0");
	}

	@Test
	void leavesOutAggregatingTasksAsGoDoes() {
		this.queues.queue("low", 5, 20, 4);
		assertThat(series("asynq_tasks_enqueued_total{")).hasSize(6).noneMatch((line) -> line.contains("aggregating"));
	}

	@Test
	void publishesNoSeriesTwice() {
		this.queues.queue("low", 5, 20, 4);
		this.queues.queue("high", 5, 20, 4);
		this.registry.scrape();
		assertThat(this.registry.scrape().lines().map((line) -> line.replaceAll("\\} .*", "}")))
			.doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain; version=0.0.4", "application/openmetrics-text; version=1.0.0" })
	void everyFormatHasTheSeries(String contentType) {
		this.queues.queue("low", 5, 20, 4);
		assertThat(this.registry.scrape(contentType)).contains("asynq_queue_paused_total{queue=\"low\"} 1.0",
				"asynq_tasks_enqueued_total{queue=\"low\",state=\"pending\"} 5.0",
				"asynq_queue_size{queue=\"low\"} 6.0");
	}

	@ParameterizedTest
	@MethodSource("hostileNames")
	void hostileNamesBreakNoScrape(String name, String escaped) {
		this.queues.queue(name, 5, 20, 4);
		this.queues.queue("low", 1, 0, 0);
		assertThat(series("asynq_queue_paused_total{")).containsExactlyInAnyOrder(
				"asynq_queue_paused_total{queue=\"" + escaped + "\"} 1.0",
				"asynq_queue_paused_total{queue=\"low\"} 1.0");
		assertThat(series("asynq_queue_size{")).containsExactlyInAnyOrder(
				"asynq_queue_size{queue=\"" + escaped + "\"} 6.0", "asynq_queue_size{queue=\"low\"} 2.0");
		assertThat(this.registry.scrape().lines()).allMatch((line) -> line
			.matches("#.*|[a-z_]+(\\{([a-z]+=\"([^\"\\\\]|\\\\[\\\\\"n])*\",?)+\\})? (-?[0-9.]+(E-?[0-9]+)?|NaN)"));
	}

	static Stream<Arguments> hostileNames() {
		return Stream.of(arguments("a\"b", "a\\\"b"), arguments("a\nb", "a\\nb"), arguments("a\\b", "a\\\\b"),
				arguments("\uD83D\uDE00", "\uD83D\uDE00"), arguments("x".repeat(1024), "x".repeat(1024)),
				arguments("} 1\nasynq_queue_size{queue=\"low\"", "} 1\\nasynq_queue_size{queue=\\\"low\\\""));
	}

	@Test
	void closingRemovesTheSeries() {
		this.queues.queue("low", 5, 20, 4);
		this.registry.scrape();
		this.collector.close();
		assertThat(this.registry.scrape()).contains("asynq_queue_size{queue=\"low\"}")
			.doesNotContain("asynq_queue_paused_total", "asynq_tasks_enqueued_total");
	}

	private List<String> series(String start) {
		return this.registry.scrape().lines().filter((line) -> line.startsWith(start)).toList();
	}

}
