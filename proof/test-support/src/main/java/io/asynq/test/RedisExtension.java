package io.asynq.test;

import java.time.Duration;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Connects with Jedis, over a pool.
 */
public final class RedisExtension extends ConnectionFactoryExtension {

	public RedisExtension() {
		super(connectionFactory(TestRedis.shared()));
	}

	/** The caller destroys the factory. */
	public static JedisConnectionFactory connectionFactory(TestRedis redis) {
		// A long time-out, for slow machines
		JedisConnectionFactory factory = new JedisConnectionFactory(configuration(redis),
				JedisClientConfiguration.builder().readTimeout(Duration.ofSeconds(30)).usePooling().build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	static RedisStandaloneConfiguration configuration(TestRedis redis) {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(redis.host(), redis.port());
		String user = redis.uri().getUserInfo();
		if (user != null) {
			configuration.setPassword(RedisPassword.of(user.substring(user.indexOf(':') + 1)));
		}
		return configuration;
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == TestRedis.class || super.supportsParameter(parameter, context);
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return (parameter.getParameter().getType() == TestRedis.class) ? TestRedis.shared()
				: super.resolveParameter(parameter, context);
	}

}
