package io.asynq.internal.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The spans of tasks with OpenTelemetry's tracer.
 */
class LinkingTracingObservationHandlerTests {

	private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

	private final TaskObservations observations = traced();

	@Test
	void firstAttemptIsChildOfEnqueueing() {
		process(0, enqueue(false)).end(TaskOutcome.SUCCEEDED, null);
		SpanData enqueue = span("enqueue mail");
		SpanData process = span("process mail");
		assertThat(process.getTraceId()).isEqualTo(enqueue.getTraceId());
		assertThat(process.getParentSpanId()).isEqualTo(enqueue.getSpanId());
		assertThat(process.getLinks()).isEmpty();
		assertThat(List.of(enqueue.getKind(), process.getKind())).containsExactly(SpanKind.PRODUCER, SpanKind.CONSUMER);
	}

	@Test
	void scheduledTaskBeginsTraceThatLinksToEnqueueing() {
		process(0, enqueue(true)).end(TaskOutcome.SUCCEEDED, null);
		assertLinked(span("process mail"), span("enqueue mail"));
	}

	@Test
	void retryBeginsTraceThatLinksToEnqueueing() {
		process(1, enqueue(false)).end(TaskOutcome.RETRIED, new IllegalStateException("boom"));
		SpanData process = span("process mail");
		assertLinked(process, span("enqueue mail"));
		assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
		assertThat(process.getAttributes().asMap().toString()).contains("asynq.task.attempt=2", "outcome=retried");
		assertThat(process.getEvents()).singleElement()
			.satisfies((event) -> assertThat(event.getAttributes().toString()).contains("boom"));
	}

	@Test
	void aggregationLinksToMembersAndIsParentOfItsTask() {
		List<Map<String, String>> headers = List.of(enqueue(false), enqueue(false), Map.of("traceparent", "garbage"));
		TaskObservation group = this.observations.aggregate("low", "g",
				headers.stream().map((its) -> Task.of("mail", "").withHeaders(its)).toList());
		Map<String, String> joined = group.headers(Map.of(), false);
		group.end(TaskOutcome.SUCCEEDED, null);
		process(0, joined).end(TaskOutcome.SUCCEEDED, null);
		SpanData aggregate = span("aggregate low");
		assertThat(aggregate.getLinks()).extracting((link) -> link.getSpanContext().getSpanId())
			.containsExactlyElementsOf(this.exporter.getFinishedSpanItems()
				.stream()
				.filter((span) -> span.getName().equals("enqueue mail"))
				.map(SpanData::getSpanId)
				.toList());
		assertThat(span("process mail").getParentSpanId()).isEqualTo(aggregate.getSpanId());
	}

	@Test
	void taskWithoutTraceBeginsOne() {
		process(0, Map.of()).end(TaskOutcome.SUCCEEDED, null);
		process(0, Map.of("traceparent", "garbage")).end(TaskOutcome.SUCCEEDED, null);
		process(1, Map.of("traceparent", "garbage")).end(TaskOutcome.SUCCEEDED, null);
		assertThat(this.exporter.getFinishedSpanItems()).hasSize(3)
			.allSatisfy((span) -> assertThat(span.getParentSpanContext().isValid()).isFalse())
			.allSatisfy((span) -> assertThat(span.getLinks()).isEmpty());
	}

	@Test
	void threadLeavesSpanThatAnotherThreadHasEnded() throws Exception {
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			TaskObservation attempt = process(0, Map.of());
			try (TaskObservation.Scope scope = attempt.open()) {
				assertThat(Span.current().getSpanContext().isValid()).isTrue();
				other.submit(() -> attempt.end(TaskOutcome.DEADLINE, null)).get();
			}
			assertThat(Span.current().getSpanContext().isValid()).isFalse();
			process(0, Map.of()).end(TaskOutcome.SUCCEEDED, null);
			assertThat(this.exporter.getFinishedSpanItems()).extracting(SpanData::getTraceId).doesNotHaveDuplicates();
		}
		finally {
			other.shutdownNow();
		}
	}

	private void assertLinked(SpanData process, SpanData enqueue) {
		assertThat(process.getTraceId()).isNotEqualTo(enqueue.getTraceId());
		assertThat(process.getParentSpanContext().isValid()).isFalse();
		assertThat(process.getLinks()).extracting(LinkData::getSpanContext).singleElement().satisfies((context) -> {
			assertThat(context.getTraceId()).isEqualTo(enqueue.getTraceId());
			assertThat(context.getSpanId()).isEqualTo(enqueue.getSpanId());
			assertThat(context.isSampled()).isTrue();
		});
	}

	private Map<String, String> enqueue(boolean later) {
		TaskObservation observation = this.observations.enqueue(facts(0, Map.of()));
		Map<String, String> headers = observation.headers(Map.of(), later);
		observation.end(TaskOutcome.SUCCEEDED, null);
		return headers;
	}

	private TaskObservation process(int retryCount, Map<String, String> headers) {
		return this.observations.process(facts(retryCount, headers));
	}

	private SpanData span(String name) {
		return this.exporter.getFinishedSpanItems()
			.stream()
			.filter((span) -> span.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private TaskObservations traced() {
		SdkTracerProvider provider = SdkTracerProvider.builder()
			.addSpanProcessor(SimpleSpanProcessor.create(this.exporter))
			.build();
		io.opentelemetry.api.trace.Tracer otel = provider.get("test");
		OtelTracer tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), (event) -> {
		});
		OtelPropagator propagator = new OtelPropagator(
				ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig()
			.observationHandler(new FirstMatchingCompositeObservationHandler(
					new ArrayList<>(List.of(new LinkingTracingObservationHandler(tracer, propagator),
							new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
							new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
							new DefaultTracingObservationHandler(tracer)))));
		return new MicrometerTaskObservations(registry, null, null, null);
	}

	private static TaskFacts facts(int retryCount, Map<String, String> headers) {
		return new TaskFacts("id", "default", Task.of("mail", "").withHeaders(headers), retryCount, 25);
	}

}
