package io.asynq.internal.observation;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;
import io.asynq.observation.DefaultTaskProcessObservationConvention;
import io.asynq.observation.TaskProcessContext;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TaskMeterObservationHandlerTests {

	private static final TaskFacts TASK = new TaskFacts("id", "low", Task.of("mail", ""), 0, 25);

	private final MockClock clock = new MockClock();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	@Test
	void metersAreThoseOfMicrometersHandler() {
		Consumer<TaskObservations> work = (observations) -> {
			for (int i = 0; i < 2; i++) {
				end(observations.process(TASK), TaskOutcome.SUCCEEDED, null);
				end(observations.process(TASK), TaskOutcome.RETRIED, new IllegalStateException("boom"));
				end(observations.enqueue(TASK), TaskOutcome.FAILED, new IllegalArgumentException("full"));
				TaskObservation group = observations.aggregate("low", "g", List.of(Task.of("mail", "")));
				group.type("digest");
				end(group, TaskOutcome.SUCCEEDED, null);
				observations.process(TASK);
			}
		};
		assertThat(measured((registry) -> new TaskMeterObservationHandler(registry, true), work)).hasSize(7)
			.isEqualTo(measured(DefaultMeterObservationHandler::new, work));
		assertThat(measured((registry) -> new TaskMeterObservationHandler(registry, false), work)).hasSize(4)
			.isEqualTo(measured(
					(registry) -> new DefaultMeterObservationHandler(registry, IgnoredMeters.LONG_TASK_TIMER), work));
	}

	@Test
	void everyMeterSaysWhatItMeasures() {
		TaskObservations observations = new MicrometerTaskObservations(
				registry(this.meters, new TaskMeterObservationHandler(this.meters, true)), null, null, null);
		end(observations.process(TASK), TaskOutcome.SUCCEEDED, null);
		end(observations.enqueue(TASK), TaskOutcome.FAILED, new IllegalArgumentException("full"));
		end(observations.aggregate("low", "g", List.of(Task.of("mail", ""))), TaskOutcome.SUCCEEDED, null);
		assertThat(this.meters.getMeters()).hasSize(6)
			.allSatisfy((meter) -> assertThat(meter.getId().getDescription()).as(meter.getId().getName()).isNotBlank());
	}

	@Test
	void keysOfAnApplicationsConventionAndFilterArrive() {
		ObservationRegistry registry = registry(this.meters, new TaskMeterObservationHandler(this.meters, true));
		registry.observationConfig()
			.observationFilter((context) -> context.addLowCardinalityKeyValue(new Uncomparable("region", "eu")));
		this.meters.config().meterFilter(MeterFilter.renameTag("asynq", "queue", "lane"));
		TaskObservations observations = new MicrometerTaskObservations(registry, null, new TenantConvention(), null);
		for (String tenant : List.of("t1", "t2", "t1")) {
			Task task = Task.of("mail", "").withHeaders(Map.of("tenant", tenant));
			observations.process(new TaskFacts("id", "low", task, 0, 25)).end(TaskOutcome.SUCCEEDED, null);
		}
		assertThat(this.meters.get("asynq.task.process").tags("tenant", "t1", "region", "eu", "lane", "low").timer())
			.extracting(Timer::count)
			.isEqualTo(2L);
		assertThat(this.meters.get("asynq.task.process").tags("tenant", "t2", "region", "eu").timer().count()).isOne();
		assertThat(this.meters.get("asynq.task.process.active").longTaskTimers()).hasSize(2);
	}

	@Test
	void removedMeterIsMadeAgain() {
		TaskObservations observations = new MicrometerTaskObservations(
				registry(this.meters, new TaskMeterObservationHandler(this.meters, true)), null, null, null);
		end(observations.process(TASK), TaskOutcome.SUCCEEDED, null);
		this.meters.clear();
		end(observations.process(TASK), TaskOutcome.SUCCEEDED, null);
		assertThat(this.meters.get("asynq.task.process").timer().count()).isOne();
		observations.process(TASK);
		assertThat(this.meters.get("asynq.task.process.active").longTaskTimer()).extracting(LongTaskTimer::activeTasks)
			.isEqualTo(1);
	}

	@Test
	void otherObservationsAreLeftToMicrometersHandler() {
		TaskMeterObservationHandler handler = new TaskMeterObservationHandler(this.meters, true);
		Observation.createNotStarted("other", registry(this.meters, handler)).observe(() -> {
		});
		assertThat(handler.supportsContext(new Observation.Context())).isFalse();
		assertThat(this.meters.get("other").timer().count()).isOne();
	}

	@Test
	void eventsOfHandlersAreCounted() {
		ObservationRegistry registry = registry(this.meters, new TaskMeterObservationHandler(this.meters, true));
		TaskObservation observation = new MicrometerTaskObservations(registry, null, null, null).process(TASK);
		try (TaskObservation.Scope scope = observation.open()) {
			registry.getCurrentObservation().event(Observation.Event.of("halfway"));
		}
		assertThat(this.meters.get("asynq.task.process.halfway").counter().count()).isOne();
	}

	private void end(TaskObservation observation, TaskOutcome outcome, Throwable error) {
		this.clock.add(Duration.ofSeconds(1));
		observation.end(outcome, error);
	}

	private Map<String, List<Double>> measured(
			Function<SimpleMeterRegistry, MeterObservationHandler<Observation.Context>> handler,
			Consumer<TaskObservations> work) {
		SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);
		work.accept(new MicrometerTaskObservations(registry(registry, handler.apply(registry)), null, null, null));
		return registry.getMeters()
			.stream()
			.collect(Collectors.toMap(TaskMeterObservationHandlerTests::name,
					(meter) -> StreamSupport.stream(meter.measure().spliterator(), false)
						.map(Measurement::getValue)
						.toList()));
	}

	private static String name(Meter meter) {
		return meter.getId().getType() + " " + meter.getId().getName() + " "
				+ meter.getId().getTags().stream().map(Tag::toString).toList();
	}

	/**
	 * As Spring Boot does it: the first handler of meters that knows the context.
	 */
	private static ObservationRegistry registry(SimpleMeterRegistry meters,
			MeterObservationHandler<Observation.Context> handler) {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig()
			.observationHandler(
					new FirstMatchingCompositeObservationHandler(handler, new DefaultMeterObservationHandler(meters)));
		return registry;
	}

	private static final class TenantConvention extends DefaultTaskProcessObservationConvention {

		@Override
		public KeyValues getLowCardinalityKeyValues(TaskProcessContext context) {
			return super.getLowCardinalityKeyValues(context)
				.and(new Uncomparable("tenant", context.getTask().task().headers().get("tenant")));
		}

	}

	/**
	 * A key that is equal to no other.
	 */
	private static final class Uncomparable implements KeyValue {

		private final String key;

		private final String value;

		Uncomparable(String key, String value) {
			this.key = key;
			this.value = value;
		}

		@Override
		public String getKey() {
			return this.key;
		}

		@Override
		public String getValue() {
			return this.value;
		}

	}

}
