package io.asynq.spring.boot.autoconfigure;

import io.asynq.client.ClientOptions;

/**
 * Changes the client's options after the properties have been applied. Beans of this type
 * are called in their order, once.
 */
@FunctionalInterface
public interface AsynqClientCustomizer {

	/**
	 * Changes the options.
	 * @param options what the properties say
	 */
	void customize(ClientOptions.Builder options);

}
