package io.asynq.internal.redis.driver;

import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisSslClientConfigurationBuilder;

public final class JedisSettings {

	private JedisSettings() {
	}

	/** Customizers may supply rotating credentials. */
	public static JedisClientConfigurationBuilder like(JedisClientConfiguration application) {
		JedisClientConfigurationBuilder builder = JedisClientConfiguration.builder()
			.connectTimeout(application.getConnectTimeout())
			.readTimeout(application.getReadTimeout());
		application.getClientName().ifPresent(builder::clientName);
		application.getClientConfigCustomizer().ifPresent(builder::customizeClientConfig);
		application.getClientCustomizer().ifPresent(builder::customizeClient);
		if (application.isUseSsl()) {
			JedisSslClientConfigurationBuilder ssl = builder.useSsl();
			application.getSslSocketFactory().ifPresent(ssl::sslSocketFactory);
			application.getSslParameters().ifPresent(ssl::sslParameters);
			application.getHostnameVerifier().ifPresent(ssl::hostnameVerifier);
		}
		return builder;
	}

}
