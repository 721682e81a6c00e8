package io.asynq.spring.boot.autoconfigure;

import io.asynq.client.ClientOptions;

/**
 * Changes the client's options after the properties were applied. Beans of this type are
 * called once, in their order.
 */
@FunctionalInterface
public interface AsynqClientCustomizer {

	/**
	 * Changes the options.
	 * @param options the options from the properties
	 */
	void customize(ClientOptions.Builder options);

}
