package io.asynq.interop.peer;

import io.asynq.test.RedisExtension;
import io.asynq.test.SameDay;
import io.asynq.test.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Provides each test with both sides and a view of Redis itself.
 */
final class PeersExtension
		implements BeforeAllCallback, TestInstancePreConstructCallback, AfterAllCallback, ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(PeersExtension.class);

	private @Nullable JedisConnectionFactory connections;

	@Override
	public void beforeAll(ExtensionContext context) {
		this.connections = RedisExtension.connectionFactory(TestRedis.shared());
	}

	@Override
	public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
		// Go reads the counters of the day; tests take the time when they are constructed
		SameDay.begin();
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (this.connections != null) {
			this.connections.destroy();
		}
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		Class<?> type = parameter.getParameter().getType();
		return type == Peers.class || type == RawRedis.class;
	}

	@Override
	public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		JedisConnectionFactory connections = this.connections;
		if (connections == null) {
			throw new IllegalStateException("Peers are for the parameters of test methods");
		}
		if (parameter.getParameter().getType() == RawRedis.class) {
			return new RawRedis(connections);
		}
		// The store closes its values after the test
		return context.getStore(NAMESPACE)
			.computeIfAbsent(Peers.class,
					(key) -> new Peers(new JavaPeer(connections), new GoPeer(TestRedis.shared().uri())), Peers.class);
	}

}
