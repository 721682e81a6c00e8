package io.asynq.spring.boot.autoconfigure;

import io.asynq.server.ServerOptions;

/**
 * Changes the server's options after the properties were applied. Beans of this type are
 * called once, in their order.
 */
@FunctionalInterface
public interface AsynqServerCustomizer {

	void customize(ServerOptions.Builder options);

}
