package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.util.Map;

import io.asynq.Broker;
import io.asynq.ClientOptions;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.internal.event.Observers;
import io.asynq.internal.method.PeriodicTaskMethodRegistrar;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.payload.PayloadConverter;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskProvider;
import io.asynq.schedule.SchedulerListener;
import io.asynq.schedule.SchedulerOptions;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Needs no server.
 */
@AutoConfiguration(after = AsynqAutoConfiguration.class)
@ConditionalOnBean(Broker.class)
@ConditionalOnBooleanProperty(name = "asynq.scheduler.enabled", matchIfMissing = true)
public final class AsynqSchedulerAutoConfiguration {

	@Bean
	static LazyInitializationExcludeFilter asynqSchedulerLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(AsynqScheduler.class, PeriodicTaskMethodRegistrar.class,
				ConfiguredPeriodicTasks.class, PeriodicTaskManager.class);
	}

	@Bean
	@ConditionalOnMissingBean
	SchedulerOptions asynqSchedulerOptions(AsynqProperties properties, @Qualifier("asynqClock") Clock clock) {
		return properties.scheduler().options(clock);
	}

	@Bean
	@ConditionalOnMissingBean
	AsynqScheduler asynqScheduler(Broker broker, ClientOptions client, Observers observers,
			ObjectProvider<TaskOutbox> outbox, SchedulerOptions options, ObjectProvider<SchedulerListener> listeners) {
		return RedisBroker.of(broker)
			.scheduler(client, observers, outbox.getIfAvailable(), options, listeners.orderedStream().toList());
	}

	@Bean
	PeriodicTaskMethodRegistrar asynqPeriodicTaskMethodRegistrar(ObjectProvider<AsynqScheduler> schedulers,
			PayloadConverter payloadConverter, ConfigurableListableBeanFactory beans) {
		return new PeriodicTaskMethodRegistrar(schedulers, payloadConverter, beans);
	}

	@Bean
	ConfiguredPeriodicTasks asynqConfiguredPeriodicTasks(AsynqScheduler scheduler, Environment environment,
			ListableBeanFactory beans) {
		return new ConfiguredPeriodicTasks(scheduler, environment, beans);
	}

	@Bean
	@ConditionalOnBean(PeriodicTaskProvider.class)
	@ConditionalOnMissingBean
	PeriodicTaskManager asynqPeriodicTaskManager(AsynqScheduler scheduler, Map<String, PeriodicTaskProvider> providers,
			SchedulerOptions options) {
		return new PeriodicTaskManager(scheduler, providers, options);
	}

}
