package io.asynq.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

import io.asynq.cli.RedisAddress.Node;
import io.asynq.cli.RedisAddress.Tls;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

final class RedisConnections {

	private RedisConnections() {
	}

	/** Returns a factory that has not connected yet. */
	static JedisConnectionFactory to(RedisAddress address, Duration connectTimeout, Duration readTimeout) {
		// One connection that is kept, for work that takes many calls
		GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(2);
		pool.setMaxIdle(1);
		pool.setJmxEnabled(false);
		JedisClientConfigurationBuilder client = JedisClientConfiguration.builder()
			.connectTimeout(connectTimeout)
			.readTimeout(readTimeout)
			.clientName("asynq-cli");
		if (address.tls() != null) {
			client.useSsl().sslSocketFactory(sockets(address.tls())).sslParameters(parameters(address.tls()));
		}
		client.usePooling().poolConfig(pool);
		Node first = address.nodes().get(0);
		JedisConnectionFactory factory = switch (address.kind()) {
			case STANDALONE -> new JedisConnectionFactory(
					login(new RedisStandaloneConfiguration(first.host(), first.port()), address), client.build());
			case SENTINEL -> {
				RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration();
				sentinels.setMaster(String.valueOf(address.master()));
				address.nodes().forEach((node) -> sentinels.sentinel(node.host(), node.port()));
				yield new JedisConnectionFactory(login(sentinels, address), client.build());
			}
			case CLUSTER -> {
				RedisClusterConfiguration cluster = new RedisClusterConfiguration();
				address.nodes().forEach((node) -> cluster.addClusterNode(new RedisNode(node.host(), node.port())));
				yield new JedisConnectionFactory(login(cluster, address), client.build());
			}
		};
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static <C extends RedisConfiguration.WithAuthentication> C login(C configuration, RedisAddress address) {
		configuration.setUsername(address.username());
		configuration.setPassword(RedisPassword.of(address.password()));
		if (configuration instanceof RedisConfiguration.WithDatabaseIndex database) {
			database.setDatabase(address.database());
		}
		return configuration;
	}

	/** The driver by itself would take a trusted certificate of any host. */
	private static SSLParameters parameters(Tls tls) {
		SSLParameters parameters = new SSLParameters();
		if (!tls.insecure()) {
			parameters.setEndpointIdentificationAlgorithm("HTTPS");
		}
		return parameters;
	}

	private static SSLSocketFactory sockets(Tls tls) {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			if (tls.insecure()) {
				context = SslOptions.builder().sslVerifyMode(SslVerifyMode.INSECURE).build().createSslContext();
			}
			else {
				context.init(null, null, null);
			}
			return (tls.server() != null) ? new NamedSockets(context.getSocketFactory(), tls.server())
					: context.getSocketFactory();
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new CommandFailedException("TLS cannot be used: " + ex.getMessage());
		}
	}

	/** Sockets that expect the certificate of another name than the host's. */
	private static final class NamedSockets extends SSLSocketFactory {

		private final SSLSocketFactory factory;

		private final String name;

		NamedSockets(SSLSocketFactory factory, String name) {
			this.factory = factory;
			this.name = name;
		}

		@Override
		public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
			return this.factory.createSocket(socket, this.name, port, autoClose);
		}

		@Override
		public String[] getDefaultCipherSuites() {
			return this.factory.getDefaultCipherSuites();
		}

		@Override
		public String[] getSupportedCipherSuites() {
			return this.factory.getSupportedCipherSuites();
		}

		@Override
		public Socket createSocket(String host, int port) throws IOException {
			return this.factory.createSocket(host, port);
		}

		@Override
		public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
			return this.factory.createSocket(host, port, from, fromPort);
		}

		@Override
		public Socket createSocket(InetAddress host, int port) throws IOException {
			return this.factory.createSocket(host, port);
		}

		@Override
		public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
			return this.factory.createSocket(host, port, from, fromPort);
		}

	}

}
