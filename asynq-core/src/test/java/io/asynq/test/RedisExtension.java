package io.asynq.test;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Gives a test the shared {@link TestRedis}, emptied before each test, and a
 * {@link RedisConnectionFactory} on it (Jedis, pooled, closed after the class).
 */
public final class RedisExtension implements BeforeEachCallback, AfterAllCallback, ParameterResolver {

	private final JedisConnectionFactory factory = connectionFactory(TestRedis.shared());

	/**
	 * Connects to a Redis; the caller destroys the factory.
	 * @param redis the Redis
	 * @return a started factory
	 */
	public static JedisConnectionFactory connectionFactory(TestRedis redis) {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(redis.host(), redis.port());
		String user = redis.uri().getUserInfo();
		if (user != null) {
			configuration.setPassword(RedisPassword.of(user.substring(user.indexOf(':') + 1)));
		}
		JedisConnectionFactory factory = new JedisConnectionFactory(configuration);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.serverCommands().flushDb();
		}
	}

	@Override
	public void afterAll(ExtensionContext context) {
		this.factory.destroy();
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		Class<?> type = parameter.getParameter().getType();
		return type == TestRedis.class || type.isAssignableFrom(JedisConnectionFactory.class)
				&& RedisConnectionFactory.class.isAssignableFrom(type);
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return (parameter.getParameter().getType() == TestRedis.class) ? TestRedis.shared() : this.factory;
	}

}
