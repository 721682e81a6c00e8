package io.asynq.broker.redis;

import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisSslClientConfigurationBuilder;

/**
 * What an application has set for its Jedis connections, all but their pool.
 */
final class JedisSettings {

	private JedisSettings() {
	}

	/**
	 * Copies the settings: time-outs, name, TLS and the application's own customizers,
	 * which is where credentials come from that rotate.
	 * @param application the application's settings
	 * @return the same, without a pool
	 */
	static JedisClientConfigurationBuilder like(JedisClientConfiguration application) {
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
