package io.asynq.spring.boot.autoconfigure;

import io.asynq.server.ServerOptions;

/**
 * Changes the server's options after the properties have been applied. Beans of this type
 * are called in their order, once.
 */
@FunctionalInterface
public interface AsynqServerCustomizer {

	/**
	 * Changes the options.
	 * @param options what the properties say
	 */
	void customize(ServerOptions.Builder options);

}
