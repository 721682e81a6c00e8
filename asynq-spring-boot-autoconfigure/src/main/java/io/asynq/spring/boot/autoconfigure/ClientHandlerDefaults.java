package io.asynq.spring.boot.autoconfigure;

import io.asynq.ClientOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Clients of the application get handlers' options as well, since it could not know that
 * it has to set them; options that are set already stay.
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
