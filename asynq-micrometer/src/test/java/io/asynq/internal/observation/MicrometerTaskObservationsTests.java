package io.asynq.internal.observation;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;
import io.asynq.observation.AsynqObservation;
import io.asynq.observation.DefaultTaskProcessObservationConvention;
import io.asynq.observation.RecordedObservations;
import io.asynq.observation.TaskProcessContext;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerTaskObservationsTests {

	private static final TaskFacts TASK = facts("mail", 2, Map.of());

	private final RecordedObservations recorded = new RecordedObservations();

	private final TaskObservations observations = this.recorded.observations();

	@Test
	void timersHaveQueueTypeOutcomeAndError() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		this.recorded.registry().observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
		this.observations.enqueue(TASK).end(TaskOutcome.SUCCEEDED, null);
		this.observations.process(TASK).end(TaskOutcome.RETRIED, new IllegalStateException("boom"));
		TaskObservation group = this.observations.aggregate("low", "g", List.of(Task.of("mail", ""), Task.of("b", "")));
		group.type("digest");
		group.end(TaskOutcome.SUCCEEDED, null);
		assertThat(timer(meters, "asynq.task.enqueue", "default", "mail", "succeeded", "none").count()).isOne();
		assertThat(timer(meters, "asynq.task.process", "default", "mail", "retried", "IllegalStateException").count())
			.isOne();
		assertThat(timer(meters, "asynq.task.aggregate", "low", "digest", "succeeded", "none").count()).isOne();
	}

	@Test
	void spansHaveIdAttemptAndGroup() {
		this.observations.process(TASK).end(TaskOutcome.SUCCEEDED, null);
		this.observations.aggregate("low", "g", List.of(Task.of("mail", ""))).end(TaskOutcome.SUCCEEDED, null);
		Observation.Context process = this.recorded.contexts("asynq.task.process").get(0);
		assertThat(process.getContextualName()).isEqualTo("process mail");
		assertThat(process.getHighCardinalityKeyValues()).containsExactlyInAnyOrder(KeyValue.of("asynq.task.id", "id"),
				KeyValue.of("asynq.task.attempt", "3"));
		Observation.Context aggregate = this.recorded.contexts("asynq.task.aggregate").get(0);
		assertThat(aggregate.getContextualName()).isEqualTo("aggregate low");
		assertThat(aggregate.getHighCardinalityKeyValues()).containsExactlyInAnyOrder(KeyValue.of("asynq.group", "g"),
				KeyValue.of("asynq.group.members", "1"));
	}

	@ParameterizedTest
	@EnumSource(AsynqObservation.class)
	void keysAreThoseThatAreDocumented(AsynqObservation which) {
		switch (which) {
			case ENQUEUE -> this.observations.enqueue(TASK);
			case PROCESS -> this.observations.process(TASK);
			case AGGREGATE -> this.observations.aggregate("low", "g", List.of());
		}
		Observation.Context context = this.recorded.running().get(0);
		assertThat(context.getLowCardinalityKeyValues()).extracting(KeyValue::getKey)
			.containsExactlyInAnyOrder(names(which.getLowCardinalityKeyNames()));
		assertThat(context.getHighCardinalityKeyValues()).extracting(KeyValue::getKey)
			.containsExactlyInAnyOrder(names(which.getHighCardinalityKeyNames()));
	}

	@Test
	void floodOfTypesAndQueuesHasBoundedNumberOfValues() {
		IntStream.range(0, 1000)
			.forEach((number) -> this.observations
				.process(new TaskFacts("id", "q" + number, Task.of("type" + number, ""), 0, 25))
				.end(TaskOutcome.SUCCEEDED, null));
		this.observations.process(facts("x".repeat(1025), 0, Map.of())).end(TaskOutcome.SUCCEEDED, null);
		assertThat(values("type")).hasSize(101).contains("type0", "type99", "other").doesNotContain("type100");
		assertThat(values("queue")).hasSize(501).contains("q0", "q499", "other").doesNotContain("q500");
	}

	@Test
	void conventionOfApplicationReplacesDefault() {
		TaskObservations own = new MicrometerTaskObservations(this.recorded.registry(), null,
				new DefaultTaskProcessObservationConvention() {
					@Override
					public String getName() {
						return "jobs";
					}

					@Override
					public KeyValues getLowCardinalityKeyValues(TaskProcessContext context) {
						return super.getLowCardinalityKeyValues(context).and("tenant",
								context.getTask().task().headers().getOrDefault("tenant", "none"));
					}
				}, null);
		own.process(facts("mail", 0, Map.of("tenant", "t1"))).end(TaskOutcome.SUCCEEDED, null);
		assertThat(this.recorded.ended("jobs")).containsExactly("default mail succeeded none");
		assertThat(this.recorded.contexts("jobs").get(0).getLowCardinalityKeyValue("tenant").getValue())
			.isEqualTo("t1");
	}

	@Test
	void onlyFirstEndCounts() {
		TaskObservation observation = this.observations.process(TASK);
		observation.end(TaskOutcome.DEADLINE, null);
		observation.end(TaskOutcome.SUCCEEDED, null);
		assertThat(this.recorded.ended("asynq.task.process")).containsExactly("default mail deadline none");
	}

	@Test
	void handlersThatFailHarmNothing() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new FailingHandler());
		registry.observationConfig().observationHandler(this.recorded);
		TaskObservation observation = new MicrometerTaskObservations(registry, null, null, null).enqueue(TASK);
		try (TaskObservation.Scope scope = observation.open()) {
			assertThat(observation.headers(Map.of("a", "1"), false)).containsExactly(Map.entry("a", "1"));
		}
		observation.end(TaskOutcome.FAILED, new IllegalStateException("boom"));
		assertThat(registry.getCurrentObservation()).isNull();
	}

	@Test
	void nothingIsObservedWithoutHandlers() {
		assertThat(new MicrometerTaskObservations(ObservationRegistry.create(), null, null, null).isOn()).isFalse();
		assertThat(new MicrometerTaskObservations(ObservationRegistry.NOOP, null, null, null).isOn()).isFalse();
		assertThat(TaskObservations.none().isOn()).isFalse();
	}

	@Test
	void scopeMakesObservationsWithinItsChildren() {
		TaskObservation observation = this.observations.process(TASK);
		try (TaskObservation.Scope scope = observation.open()) {
			this.observations.enqueue(TASK).end(TaskOutcome.SUCCEEDED, null);
		}
		this.observations.enqueue(TASK).end(TaskOutcome.SUCCEEDED, null);
		assertThat(this.recorded.contexts("asynq.task.enqueue"))
			.extracting((context) -> (context.getParentObservation() != null)
					? context.getParentObservation().getContextView().getName() : "none")
			.containsExactly("asynq.task.process", "none");
	}

	@Test
	void headersOfTracerReplaceCopiedOnes() {
		traceWith("traceparent", "new");
		Map<String, String> own = Map.of("traceparent", "old", "x-asynq-trace", "link", "tenant", "t1");
		assertThat(this.observations.enqueue(TASK).headers(own, false)).containsOnly(Map.entry("traceparent", "new"),
				Map.entry("tenant", "t1"));
		assertThat(this.observations.enqueue(TASK).headers(own, true)).containsOnly(Map.entry("traceparent", "new"),
				Map.entry("tenant", "t1"), Map.entry("x-asynq-trace", "link"));
	}

	@Test
	void taskKeepsItsHeadersWithoutTracer() {
		Map<String, String> own = Map.of("traceparent", "from elsewhere");
		assertThat(this.observations.enqueue(TASK).headers(own, true)).isSameAs(own);
	}

	private void traceWith(String name, String value) {
		this.recorded.registry().observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

			@Override
			@SuppressWarnings("unchecked")
			public void onStart(Observation.Context context) {
				SenderContext<Map<String, String>> sender = (SenderContext<Map<String, String>>) context;
				sender.getSetter().set(sender.getCarrier(), name, value);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return context instanceof SenderContext;
			}

		});
	}

	private List<String> values(String key) {
		return this.recorded.contexts("asynq.task.process")
			.stream()
			.map((context) -> context.getLowCardinalityKeyValue(key).getValue())
			.distinct()
			.toList();
	}

	private static Timer timer(SimpleMeterRegistry meters, String name, String queue, String type, String outcome,
			String error) {
		return meters.get(name).tags("queue", queue, "type", type, "outcome", outcome, "error", error).timer();
	}

	private static String[] names(io.micrometer.common.docs.KeyName[] names) {
		return java.util.Arrays.stream(names).map(io.micrometer.common.docs.KeyName::asString).toArray(String[]::new);
	}

	private static TaskFacts facts(String type, int retryCount, Map<String, String> headers) {
		return new TaskFacts("id", "default", Task.of(type, "").withHeaders(headers), retryCount, 25);
	}

	private static final class FailingHandler implements ObservationHandler<Observation.Context> {

		@Override
		public void onStart(Observation.Context context) {
			throw new IllegalStateException("start");
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			throw new StackOverflowError("open");
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			throw new IllegalStateException("close");
		}

		@Override
		public void onError(Observation.Context context) {
			throw new IllegalStateException("error");
		}

		@Override
		public void onStop(Observation.Context context) {
			throw new IllegalStateException("stop");
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
