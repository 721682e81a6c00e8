package io.asynq.interop;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.test.TestRedis;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Which spans of an application with OpenTelemetry are children of the enqueueing, and
 * which only link to it (docs/adr/0020).
 */
@Tag("slow")
@Timeout(300)
class TraceLinksIT {

	private static TestRedis redis;

	private static ConfigurableApplicationContext application;

	private static AsynqClient client;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
		application = new SpringApplicationBuilder(ShopApplication.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.port=" + redis.port(), "asynq.server.preflight=off",
					"asynq.server.group-max-size=2", "management.tracing.sampling.probability=1.0",
					"spring.main.banner-mode=off")
			.run();
		client = application.getBean(AsynqClient.class);
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.stop();
	}

	@Test
	void promptTaskContinuesTraceOfItsEnqueueing() {
		client.enqueue("prompt", "1");
		SpanData process = span("process prompt");
		SpanData enqueue = span("enqueue prompt");
		assertThat(process.getTraceId()).isEqualTo(enqueue.getTraceId());
		assertThat(process.getParentSpanId()).isEqualTo(enqueue.getSpanId());
		assertThat(process.getLinks()).isEmpty();
	}

	@Test
	void scheduledTaskLinksToItsEnqueueing() {
		client.enqueue("later", "1", (options) -> options.processIn(Duration.ofSeconds(1)));
		SpanData process = span("process later");
		assertThat(linked(process)).containsExactly(span("enqueue later").getSpanId());
		assertBeginsTrace(process, span("enqueue later"));
	}

	@Test
	void periodicTaskLinksToEnqueueingOfItsFire() {
		SpanData process = span("process tick");
		assertThat(linked(process)).hasSize(1);
		// The task may be processed before the span of its fire ends
		await().untilAsserted(
				() -> assertThat(spans("enqueue tick")).extracting(SpanData::getSpanId).containsAll(linked(process)));
		SpanData fire = spans("enqueue tick").stream()
			.filter((span) -> linked(process).contains(span.getSpanId()))
			.findFirst()
			.orElseThrow();
		assertBeginsTrace(process, fire);
	}

	@Test
	void aggregationLinksToItsMembersAndIsParentOfItsTask() {
		for (int i = 1; i <= 2; i++) {
			client.enqueue("sale", BigDecimal.valueOf(i), (options) -> options.group("sales"));
		}
		SpanData total = span("process total");
		SpanData aggregate = span("aggregate default");
		List<SpanData> members = spans("enqueue sale");
		assertThat(members).hasSize(2);
		assertThat(linked(aggregate))
			.containsExactlyInAnyOrderElementsOf(members.stream().map(SpanData::getSpanId).toList());
		members.forEach((member) -> assertBeginsTrace(aggregate, member));
		assertThat(total.getTraceId()).isEqualTo(aggregate.getTraceId());
		assertThat(total.getParentSpanId()).isEqualTo(aggregate.getSpanId());
		assertThat(total.getLinks()).isEmpty();
	}

	private static void assertBeginsTrace(SpanData span, SpanData linked) {
		assertThat(span.getParentSpanContext().isValid()).as("has a parent").isFalse();
		assertThat(span.getTraceId()).isNotEqualTo(linked.getTraceId());
		assertThat(span.getLinks())
			.anySatisfy((link) -> assertThat(link.getSpanContext().getTraceId()).isEqualTo(linked.getTraceId()));
	}

	private static List<String> linked(SpanData span) {
		return span.getLinks().stream().map((link) -> link.getSpanContext().getSpanId()).toList();
	}

	/** Waits for the first span of this name. */
	private static SpanData span(String name) {
		await("span " + name).until(() -> !spans(name).isEmpty());
		return spans(name).get(0);
	}

	private static List<SpanData> spans(String name) {
		return application.getBean(Exported.class)
			.spans()
			.getFinishedSpanItems()
			.stream()
			.filter((span) -> span.getName().equals(name))
			.toList();
	}

	/**
	 * Has one handler for each way that leads a task to it.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ShopApplication {

		@Bean
		Exported exported() {
			return new Exported(InMemorySpanExporter.create());
		}

		@Bean
		SpanProcessor processor(Exported exported) {
			return SimpleSpanProcessor.create(exported.spans());
		}

		@Bean
		Work work() {
			return new Work();
		}

	}

	static class Work {

		@TaskHandler("prompt")
		void prompt(String payload) {
		}

		@TaskHandler("later")
		void later(String payload) {
		}

		@TaskHandler("tick")
		@PeriodicTask(cron = "@every 1s", id = "tick")
		void tick() {
		}

		@TaskAggregator(group = "sales", type = "total")
		BigDecimal total(List<BigDecimal> sales) {
			return sales.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
		}

		@TaskHandler("total")
		void report(BigDecimal total) {
		}

	}

	/**
	 * Hides the exporter from Spring Boot, which would export everything once more.
	 */
	record Exported(InMemorySpanExporter spans) {
	}

}
