package io.asynq.spring.boot.autoconfigure;

import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.handler.TaskMux;
import io.asynq.internal.method.TaskHandlerMethodRegistrar;
import io.asynq.payload.PayloadConverter;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Declarations of beans may not show handlers of a child context, which then has no
 * server.
 */
final class MissedHandlers implements SmartInitializingSingleton {

	private final AsynqProperties properties;

	private final PayloadConverter converter;

	private final ConfigurableListableBeanFactory beans;

	MissedHandlers(AsynqProperties properties, PayloadConverter converter, ConfigurableListableBeanFactory beans) {
		this.properties = properties;
		this.converter = converter;
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!OnHandlersHere.isBelowServer(this.beans)
				|| this.beans.getBeanNamesForType(TaskHandlerMethodRegistrar.class, true, false).length > 0) {
			return;
		}
		TaskMux missed = new TaskMux();
		new TaskHandlerMethodRegistrar(missed, this.converter, this.properties.limits()::keySet,
				this.properties.server().handlerMatching(), this.beans)
			.afterSingletonsInstantiated();
		if (!missed.isEmpty()) {
			throw new InvalidTaskHandlerException(missed.describe()
				.stream()
				.map((handler) -> handler + ": nobody calls it, because the declared type of its bean does not show it;"
						+ " declare the @Bean method with the class of the handler")
				.toList());
		}
	}

}
