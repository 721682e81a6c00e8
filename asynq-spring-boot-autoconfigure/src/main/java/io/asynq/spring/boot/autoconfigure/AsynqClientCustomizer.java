package io.asynq.spring.boot.autoconfigure;

import io.asynq.ClientOptions;

/**
 * Changes the client's options after the properties were applied. Beans of this type are
 * called once, in their order.
 */
@FunctionalInterface
public interface AsynqClientCustomizer {

	void customize(ClientOptions.Builder options);

}
