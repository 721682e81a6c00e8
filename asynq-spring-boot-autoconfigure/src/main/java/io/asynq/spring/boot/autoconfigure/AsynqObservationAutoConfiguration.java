package io.asynq.spring.boot.autoconfigure;

import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.observation.LinkingTracingObservationHandler;
import io.asynq.internal.observation.MicrometerTaskObservations;
import io.asynq.internal.observation.TaskMeterObservationHandler;
import io.asynq.observation.TaskAggregateObservationConvention;
import io.asynq.observation.TaskEnqueueObservationConvention;
import io.asynq.observation.TaskProcessObservationConvention;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

@AutoConfiguration(before = AsynqAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration" })
@ConditionalOnClass({ ObservationRegistry.class, TaskObservations.class })
@ConditionalOnBean(ObservationRegistry.class)
public final class AsynqObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(TaskObservations.class)
	MicrometerTaskObservations asynqTaskObservations(ObservationRegistry registry,
			ObjectProvider<TaskEnqueueObservationConvention> enqueue,
			ObjectProvider<TaskProcessObservationConvention> process,
			ObjectProvider<TaskAggregateObservationConvention> aggregate) {
		return new MicrometerTaskObservations(registry, enqueue.getIfAvailable(), process.getIfAvailable(),
				aggregate.getIfAvailable());
	}

	/**
	 * Only beside Spring Boot's own handler alone: another one has a say in all meters.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MeterObservationHandler.class, MetricsProperties.class })
	@ConditionalOnBean({ DefaultMeterObservationHandler.class, MetricsProperties.class, MeterRegistry.class })
	@ConditionalOnSingleCandidate(MeterObservationHandler.class)
	static class MetersConfiguration {

		@Bean
		@Order(0)
		TaskMeterObservationHandler asynqTaskMeterObservationHandler(MeterRegistry registry,
				MetricsProperties properties) {
			return new TaskMeterObservationHandler(registry,
					!properties.getObservations().getIgnoredMeters().contains(IgnoredMeters.LONG_TASK_TIMER));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Tracer.class, Propagator.class })
	@ConditionalOnBean({ Tracer.class, Propagator.class })
	static class LinksConfiguration {

		/**
		 * Spring Boot's handlers of senders and receivers have the orders 1000 and 2000.
		 */
		@Bean
		@Order(0)
		@ConditionalOnMissingBean
		LinkingTracingObservationHandler asynqLinkingTracingObservationHandler(Tracer tracer, Propagator propagator) {
			return new LinkingTracingObservationHandler(tracer, propagator);
		}

	}

}
