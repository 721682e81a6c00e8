package io.asynq.spring.boot.autoconfigure;

import io.asynq.client.ClientOptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Adds what handlers say of their tasks to the settings of clients, those of the
 * application included: it could not know that it has to. Settings that have such options
 * keep them.
 */
final class ClientHandlerDefaults implements BeanPostProcessor {

	private final ObjectProvider<HandlerDefaults> handlers;

	ClientHandlerDefaults(ObjectProvider<HandlerDefaults> handlers) {
		this.handlers = handlers;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof ClientOptions options)) {
			return bean;
		}
		HandlerDefaults present = this.handlers.getIfAvailable();
		return (present != null) ? options.withHandlerDefaults(present) : options;
	}

}
