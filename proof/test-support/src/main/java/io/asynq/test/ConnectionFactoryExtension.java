package io.asynq.test;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Redis is flushed before each test; the connections are closed after the class.
 */
abstract class ConnectionFactoryExtension implements BeforeEachCallback, AfterAllCallback, ParameterResolver {

	private final RedisConnectionFactory factory;

	ConnectionFactoryExtension(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Override
	public final void beforeEach(ExtensionContext context) {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.serverCommands().flushDb();
		}
	}

	@Override
	public final void afterAll(ExtensionContext context) throws Exception {
		((DisposableBean) this.factory).destroy();
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		Class<?> type = parameter.getParameter().getType();
		return RedisConnectionFactory.class.isAssignableFrom(type) && type.isInstance(this.factory);
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return this.factory;
	}

}
