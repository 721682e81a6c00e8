package io.asynq.annotation;

import io.asynq.PayloadConverter;
import io.asynq.broker.Broker;
import io.asynq.handler.GroupAggregators;
import io.asynq.handler.TaskInterceptor;
import io.asynq.handler.TaskMux;
import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.scheduler.AsynqScheduler;
import io.asynq.server.ServerOptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What {@link EnableAsynq} brings.
 */
@Configuration(proxyBeanMethods = false)
class AsynqConfiguration {

	@Bean
	TaskMux asynqTaskMux(ObjectProvider<TaskInterceptor> interceptors) {
		TaskMux mux = new TaskMux();
		interceptors.orderedStream().forEach(mux::use);
		return mux;
	}

	@Bean
	TaskHandlerMethodRegistrar asynqTaskHandlerMethodRegistrar(TaskMux mux, ObjectProvider<PayloadConverter> converters,
			ObjectProvider<Broker> broker) {
		return new TaskHandlerMethodRegistrar(mux, converters.getIfAvailable(DefaultPayloadConverter::new),
				broker::getObject);
	}

	@Bean
	GroupAggregators asynqGroupAggregators() {
		return new GroupAggregators();
	}

	@Bean
	TaskAggregatorRegistrar asynqTaskAggregatorRegistrar(GroupAggregators aggregators,
			ObjectProvider<PayloadConverter> converters, ObjectProvider<ServerOptions> servers) {
		return new TaskAggregatorRegistrar(aggregators, converters.getIfAvailable(DefaultPayloadConverter::new),
				servers);
	}

	@Bean
	PeriodicTaskMethodRegistrar asynqPeriodicTaskMethodRegistrar(ObjectProvider<AsynqScheduler> schedulers) {
		return new PeriodicTaskMethodRegistrar(schedulers);
	}

}
