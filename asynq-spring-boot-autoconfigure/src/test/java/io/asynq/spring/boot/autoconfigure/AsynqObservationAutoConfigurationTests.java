package io.asynq.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.observation.LinkingTracingObservationHandler;
import io.asynq.internal.observation.MicrometerTaskObservations;
import io.asynq.internal.observation.TaskMeterObservationHandler;
import io.asynq.observation.DefaultTaskAggregateObservationConvention;
import io.asynq.observation.DefaultTaskEnqueueObservationConvention;
import io.asynq.observation.DefaultTaskProcessObservationConvention;
import io.asynq.observation.RecordedObservations;
import io.asynq.observation.TaskAggregateObservationConvention;
import io.asynq.observation.TaskEnqueueObservationConvention;
import io.asynq.observation.TaskProcessObservationConvention;
import io.asynq.server.ServerPolicies;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class AsynqObservationAutoConfigurationTests {

	private static final TaskFacts TASK = new TaskFacts("1", "low", Task.of("mail", ""), 0, 25);

	private final RecordedObservations recorded = new RecordedObservations();

	private final ApplicationContextRunner runner = AsynqContexts.wired()
		.withBean(ObservationRegistry.class, this.recorded::registry);

	@Test
	void observesClientAndServer() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(MicrometerTaskObservations.class);
			TaskObservations observations = context.getBean(TaskObservations.class);
			assertThat(context.getBean(Observers.class).observations()).isSameAs(observations);
		});
	}

	@Test
	void observationsOfApplicationReplaceOurs() {
		this.runner.withBean(TaskObservations.class, TaskObservations::none)
			.run((context) -> assertThat(context).hasSingleBean(TaskObservations.class)
				.doesNotHaveBean(MicrometerTaskObservations.class));
	}

	@Test
	void conventionsOfApplicationReplaceDefaults() {
		this.runner
			.withBean(TaskEnqueueObservationConvention.class, () -> new DefaultTaskEnqueueObservationConvention() {
				@Override
				public String getName() {
					return "my.enqueue";
				}
			})
			.withBean(TaskProcessObservationConvention.class, () -> new DefaultTaskProcessObservationConvention() {
				@Override
				public String getName() {
					return "my.process";
				}
			})
			.withBean(TaskAggregateObservationConvention.class, () -> new DefaultTaskAggregateObservationConvention() {
				@Override
				public String getName() {
					return "my.aggregate";
				}
			})
			.run((context) -> {
				TaskObservations observations = context.getBean(TaskObservations.class);
				TaskFacts task = new TaskFacts("1", "low", Task.of("mail", ""), 0, 25);
				observations.enqueue(task).end(TaskOutcome.SUCCEEDED, null);
				observations.process(task).end(TaskOutcome.SUCCEEDED, null);
				observations.aggregate("low", "g", List.of()).end(TaskOutcome.SUCCEEDED, null);
				assertThat(List.of("my.enqueue", "my.process", "my.aggregate"))
					.allSatisfy((name) -> assertThat(this.recorded.ended(name)).hasSize(1));
			});
	}

	@Test
	void observesNothingWithoutRegistry() {
		AsynqContexts.wired().run((context) -> {
			assertThat(context).doesNotHaveBean(TaskObservations.class);
			assertThat(context.getBean(Observers.class).observations()).isSameAs(TaskObservations.none());
		});
	}

	@Test
	void observesNothingWithRegistryThatIsNoop() {
		AsynqContexts.wired()
			.withBean(ObservationRegistry.class, () -> ObservationRegistry.NOOP)
			.run((context) -> assertThat(context.getBean(Observers.class).observations().isOn()).isFalse());
	}

	@Test
	void spansHaveLinksIfThereIsATracer() {
		this.runner.withBean(Tracer.class, () -> Tracer.NOOP)
			.withBean(Propagator.class, () -> Propagator.NOOP)
			.run((context) -> assertThat(context).hasSingleBean(LinkingTracingObservationHandler.class));
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(LinkingTracingObservationHandler.class));
	}

	@Test
	void metersOfTasksAreOursBesideBootsHandler() {
		metered().run((context) -> {
			assertThat(context).hasSingleBean(TaskMeterObservationHandler.class);
			context.getBean(TaskObservations.class).process(TASK);
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("asynq.task.process.active").longTaskTimer().activeTasks()).as("counted once")
				.isOne();
		});
		metered().withPropertyValues("management.metrics.observations.ignored-meters=long-task-timer")
			.run((context) -> {
				context.getBean(TaskObservations.class).process(TASK).end(TaskOutcome.SUCCEEDED, null);
				assertThat(context.getBean(MeterRegistry.class).getMeters())
					.extracting((meter) -> meter.getId().getName())
					.filteredOn((name) -> name.startsWith("asynq.task."))
					.containsExactly("asynq.task.process");
			});
	}

	@Test
	void handlerOfMetersOfTheApplicationIsAskedForTasks() {
		List<String> stopped = new ArrayList<>();
		metered()
			.withBean("own", MeterObservationHandler.class, () -> new MeterObservationHandler<Observation.Context>() {
				@Override
				public void onStop(Observation.Context ended) {
					stopped.add(ended.getName());
				}
			})
			.run((context) -> {
				assertThat(context).doesNotHaveBean(TaskMeterObservationHandler.class);
				context.getBean(TaskObservations.class).process(TASK).end(TaskOutcome.SUCCEEDED, null);
				assertThat(stopped).containsExactly("asynq.task.process");
			});
	}

	@Test
	void observesWithoutMicrometersTracing() {
		new ApplicationContextRunner().withUserConfiguration(AsynqContexts.Application.class)
			.withPropertyValues("asynq.server.auto-startup=false", "spring.data.redis.client-type=jedis")
			.withBean(ObservationRegistry.class, this.recorded::registry)
			.withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
			.run((context) -> {
				assertThat(context).hasSingleBean(MicrometerTaskObservations.class);
				context.getBean(TaskObservations.class)
					.process(new TaskFacts("1", "low", Task.of("mail", ""), 1, 25))
					.end(TaskOutcome.SUCCEEDED, null);
				assertThat(this.recorded.ended("asynq.task.process")).hasSize(1);
			});
	}

	@Test
	void worksWithoutMicrometersObservations() {
		new ApplicationContextRunner().withUserConfiguration(AsynqContexts.Application.class)
			.withPropertyValues("asynq.server.auto-startup=false", "spring.data.redis.client-type=jedis")
			.withClassLoader(new FilteredClassLoader("io.micrometer.observation", "io.micrometer.tracing"))
			.run((context) -> assertThat(context).hasSingleBean(AsynqClient.class)
				.hasSingleBean(ServerPolicies.class)
				.doesNotHaveBean(TaskObservations.class));
	}

	private static ApplicationContextRunner metered() {
		return AsynqContexts.wired()
			.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class, MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class));
	}

}
