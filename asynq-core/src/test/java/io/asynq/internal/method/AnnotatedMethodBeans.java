package io.asynq.internal.method;

import java.util.Set;

import io.asynq.annotation.HandlerMatching;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskInterceptor;
import io.asynq.handler.TaskMux;
import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.payload.PayloadConverter;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.server.ServerOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans that find annotated methods, for tests without Spring Boot.
 */
@Configuration(proxyBeanMethods = false)
public class AnnotatedMethodBeans {

	@Bean
	TaskMux asynqTaskMux(ObjectProvider<TaskInterceptor> interceptors) {
		TaskMux mux = new TaskMux();
		interceptors.orderedStream().forEach(mux::use);
		return mux;
	}

	@Bean
	TaskHandlerMethodRegistrar asynqTaskHandlerMethodRegistrar(TaskMux mux, ObjectProvider<PayloadConverter> converters,
			ConfigurableListableBeanFactory beans) {
		return new TaskHandlerMethodRegistrar(mux, converters.getIfAvailable(DefaultPayloadConverter::new),
				() -> Set.of("pdf", "bank"), HandlerMatching.EXACT, beans);
	}

	@Bean
	TaskAggregators asynqTaskAggregators() {
		return new TaskAggregators();
	}

	@Bean
	TaskAggregatorRegistrar asynqTaskAggregatorRegistrar(TaskAggregators aggregators,
			ObjectProvider<PayloadConverter> converters, ObjectProvider<ServerOptions> servers,
			ConfigurableListableBeanFactory beans) {
		return new TaskAggregatorRegistrar(aggregators, converters.getIfAvailable(DefaultPayloadConverter::new),
				servers, beans);
	}

	@Bean
	PeriodicTaskMethodRegistrar asynqPeriodicTaskMethodRegistrar(ObjectProvider<AsynqScheduler> schedulers,
			ObjectProvider<PayloadConverter> converters, ConfigurableListableBeanFactory beans) {
		return new PeriodicTaskMethodRegistrar(schedulers, converters.getIfAvailable(DefaultPayloadConverter::new),
				beans);
	}

}
