package io.asynq.broker.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/**
 * Makes a second Lettuce factory with an application's settings. All commands share one
 * connection of it, on a cluster one for each node; so it needs no pool, which would lend
 * a connection again over which a subscription received nothing more.
 */
final class CopiedLettuce {

	private CopiedLettuce() {
	}

	/**
	 * Copies a factory.
	 * @param application the application's
	 * @return the copy, not started; {@code null} if the factory is another driver's, or
	 * a subclass that may do more than its settings say
	 */
	static @Nullable LettuceConnectionFactory of(RedisConnectionFactory application) {
		if (application.getClass() != LettuceConnectionFactory.class) {
			return null;
		}
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) application;
		RedisConfiguration redis = configuration(lettuce);
		if (redis == null) {
			return null;
		}
		LettuceConnectionFactory copy = new LettuceConnectionFactory(redis,
				withoutPool(lettuce.getClientConfiguration()));
		copy.setValidateConnection(lettuce.getValidateConnection());
		return copy;
	}

	private static LettuceClientConfiguration withoutPool(LettuceClientConfiguration application) {
		if (!(application instanceof LettucePoolingClientConfiguration)) {
			return application;
		}
		LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.commandTimeout(application.getCommandTimeout())
			.shutdownTimeout(application.getShutdownTimeout())
			.shutdownQuietPeriod(application.getShutdownQuietPeriod());
		application.getClientResources().ifPresent(builder::clientResources);
		application.getClientOptions().ifPresent(builder::clientOptions);
		application.getClientName().ifPresent(builder::clientName);
		application.getReadFrom().ifPresent(builder::readFrom);
		application.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
		if (application.isUseSsl()) {
			LettuceSslClientConfigurationBuilder ssl = builder.useSsl().verifyPeer(application.getVerifyMode());
			if (application.isStartTls()) {
				ssl.startTls();
			}
		}
		return builder.build();
	}

	/**
	 * Where Redis is. There is a getter for most forms of it, but a factory does not say
	 * which form it has: for replicas that are listed one by one it would give localhost.
	 */
	private static @Nullable RedisConfiguration configuration(LettuceConnectionFactory lettuce) {
		try {
			return (RedisConfiguration) new DirectFieldAccessor(lettuce).getPropertyValue("configuration");
		}
		catch (BeansException ex) {
			return null;
		}
	}

}
