package io.asynq.interop;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.annotation.TaskHandler;
import io.asynq.interop.peer.RelayPeer;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One trace from an HTTP request through a Java client and a Go worker, which enqueues
 * another task, into a Java handler.
 */
@Tag("slow")
@RequiresGo
@ExtendWith(RedisExtension.class)
@Timeout(300)
class TraceIT {

	@Test
	void requestGoWorkerAndJavaHandlerAreOneTrace(TestRedis redis) throws Exception {
		try (RelayPeer go = new RelayPeer(redis.uri(), "go", "ship");
				ConfigurableApplicationContext context = start(redis)) {
			post(context, "/orders");
			RelayPeer.Span relay = go.span();
			Map<String, String> mdc = context.getBean(Shipping.class).next();
			InMemorySpanExporter exporter = context.getBean(Exported.class).spans();
			await().untilAsserted(() -> assertThat(exporter.getFinishedSpanItems()).extracting(SpanData::getName)
				.containsExactlyInAnyOrder("http post /orders", "enqueue order", "process ship"));
			SpanData request = span(exporter, "http post /orders");
			SpanData enqueue = span(exporter, "enqueue order");
			SpanData process = span(exporter, "process ship");
			System.out.println(String.join("\n", "trace " + request.getTraceId(), "java " + describe(request),
					"  java " + describe(enqueue), "    go   " + relay.name() + " " + relay.spanId(),
					"      java " + describe(process)));
			assertThat(List.of(request.getTraceId(), enqueue.getTraceId(), process.getTraceId())).as("traces of Java")
				.containsOnly(relay.traceId());
			assertThat(request.getParentSpanContext().isValid()).isFalse();
			assertThat(enqueue.getParentSpanId()).isEqualTo(request.getSpanId());
			assertThat(relay.parentId()).isEqualTo(enqueue.getSpanId());
			assertThat(process.getParentSpanId()).isEqualTo(relay.spanId());
			assertThat(Stream.of(request, enqueue, process).flatMap((span) -> span.getLinks().stream())).isEmpty();
			assertThat(mdc).containsEntry("traceId", relay.traceId())
				.containsEntry("spanId", process.getSpanId())
				.containsEntry("tenant", "t1")
				.containsEntry("asynq.task.type", "ship");
		}
	}

	private static ConfigurableApplicationContext start(TestRedis redis) {
		return new SpringApplicationBuilder(ShopApplication.class)
			.properties("server.port=0", "spring.data.redis.port=" + redis.port(), "asynq.server.preflight=off",
					"management.tracing.sampling.probability=1.0", "management.tracing.baggage.remote-fields=tenant",
					"management.tracing.baggage.correlation.fields=tenant", "spring.main.banner-mode=off")
			.run();
	}

	private static void post(ConfigurableApplicationContext context, String path) throws Exception {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
			.header("baggage", "tenant=t1")
			.POST(HttpRequest.BodyPublishers.noBody())
			.build();
		HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
	}

	private static SpanData span(InMemorySpanExporter exporter, String name) {
		return exporter.getFinishedSpanItems()
			.stream()
			.filter((span) -> span.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private static String describe(SpanData span) {
		return span.getName() + " " + span.getSpanId() + " " + span.getAttributes();
	}

	/**
	 * Takes orders and ships them; what is between is Go's.
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
		Orders orders(AsynqClient client) {
			return new Orders(client);
		}

		@Bean
		Shipping shipping() {
			return new Shipping();
		}

	}

	@RestController
	static class Orders {

		private final AsynqClient client;

		Orders(AsynqClient client) {
			this.client = client;
		}

		@PostMapping("/orders")
		String order() {
			return this.client.enqueue("order", "42", (options) -> options.queue("go")).id();
		}

	}

	static class Shipping {

		private final BlockingQueue<Map<String, String>> shipped = new LinkedBlockingQueue<>();

		@TaskHandler("ship")
		void ship(String order) {
			this.shipped.add(MDC.getCopyOfContextMap());
		}

		Map<String, String> next() throws InterruptedException {
			Map<String, String> mdc = this.shipped.poll(60, TimeUnit.SECONDS);
			assertThat(mdc).as("the MDC of a handler").isNotNull();
			return mdc;
		}

	}

	/**
	 * Hides the exporter from Spring Boot, which would export everything once more.
	 */
	record Exported(InMemorySpanExporter spans) {
	}

}
