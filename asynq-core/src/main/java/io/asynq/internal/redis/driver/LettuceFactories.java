package io.asynq.internal.redis.driver;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.redis.driver.SubscriptionConnections.SubscriptionConnection;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** Other connections with the application's settings. */
public final class LettuceFactories {

	/** A command time-out is often a minute: too long on a stranded connection. */
	static final Duration PATIENCE = Duration.ofSeconds(2);

	private LettuceFactories() {
	}

	/** Zero for none, {@code null} for another driver. */
	public static @Nullable Duration timeout(RedisConnectionFactory factory) {
		return (factory instanceof LettuceConnectionFactory lettuce)
				? lettuce.getClientConfiguration().getCommandTimeout() : null;
	}

	/**
	 * Without a pool, which would lend a connection again whose subscription went silent;
	 * {@code null} for another driver, or a subclass that may do more.
	 */
	public static @Nullable LettuceConnectionFactory copy(RedisConnectionFactory application) {
		if (application.getClass() != LettuceConnectionFactory.class) {
			return null;
		}
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) application;
		RedisConfiguration redis = configuration(lettuce);
		if (redis == null) {
			return null;
		}
		LettuceConnectionFactory copy = new Copy(redis, settings(lettuce.getClientConfiguration()));
		copy.setValidateConnection(lettuce.getValidateConnection());
		return copy;
	}

	/** A replica's answer may be of yesterday; {@code null} if none is ever read. */
	public static @Nullable RedisConnectionFactory readingFromPrimary(RedisConnectionFactory application) {
		LettuceConnectionFactory copy = (application instanceof LettuceConnectionFactory lettuce
				&& readsFromReplicas(lettuce.getClientConfiguration())) ? copy(application) : null;
		if (copy != null) {
			copy.afterPropertiesSet();
			copy.start();
		}
		return copy;
	}

	/** {@code null} where the factory itself will do. */
	static @Nullable SubscriptionConnection dedicated(RedisConnectionFactory factory, @Nullable String node) {
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			return null;
		}
		if (node == null) {
			RedisStaticMasterReplicaConfiguration nodes = listed(lettuce);
			return (nodes != null) ? dedicated(lettuce, nodes) : null;
		}
		if (configuration(lettuce) == null
				|| !(lettuce.getRequiredNativeClient() instanceof RedisClusterClient cluster)) {
			return null;
		}
		RedisClient ofNode = client(lettuce, cluster, node);
		return new SubscriptionConnection(new LettuceConnection(PATIENCE.toMillis(), ofNode),
				() -> ofNode.shutdownAsync(0, 0, TimeUnit.SECONDS));
	}

	/** Lettuce sends commands to its primary, but does not say which node it is. */
	static @Nullable RedisStaticMasterReplicaConfiguration listed(LettuceConnectionFactory lettuce) {
		return (configuration(lettuce) instanceof RedisStaticMasterReplicaConfiguration nodes) ? nodes : null;
	}

	static RedisURI primary(LettuceConnectionFactory lettuce, RedisStaticMasterReplicaConfiguration nodes) {
		RedisClient client = (RedisClient) lettuce.getRequiredNativeClient();
		RedisException error = null;
		for (RedisStandaloneConfiguration node : nodes.getNodes()) {
			RedisURI uri = uri(lettuce, node.getHostName(), node.getPort());
			uri.setDatabase(nodes.getDatabase());
			uri.setTimeout(PATIENCE);
			try (StatefulRedisConnection<String, String> connection = client.connect(uri)) {
				if ("master".equals(connection.sync().role().get(0))) {
					return uri;
				}
			}
			catch (RedisException ex) {
				error = ex;
			}
		}
		throw new RedisConnectionFailureException(
				"None of the nodes of spring.data.redis.masterreplica.nodes is the primary", error);
	}

	/** Shares the threads and settings of the client of the cluster. */
	static RedisClient client(LettuceConnectionFactory lettuce, RedisClusterClient cluster, String node) {
		int colon = node.lastIndexOf(':');
		RedisClient client = RedisClient.create(cluster.getResources(),
				uri(lettuce, node.substring(0, colon), Integer.parseInt(node.substring(colon + 1))));
		client.setOptions(cluster.getOptions());
		return client;
	}

	private static SubscriptionConnection dedicated(LettuceConnectionFactory lettuce,
			RedisStaticMasterReplicaConfiguration nodes) {
		RedisURI primary = primary(lettuce, nodes);
		RedisStandaloneConfiguration node = new RedisStandaloneConfiguration(primary.getHost(), primary.getPort());
		node.setUsername(nodes.getUsername());
		node.setPassword(nodes.getPassword());
		node.setDatabase(nodes.getDatabase());
		LettuceConnectionFactory connections = new LettuceConnectionFactory(node,
				builder(lettuce.getClientConfiguration())
					.clientResources(((RedisClient) lettuce.getRequiredNativeClient()).getResources())
					.build());
		connections.afterPropertiesSet();
		connections.start();
		return new SubscriptionConnection(connections.getConnection(), connections::destroy);
	}

	private static RedisURI uri(LettuceConnectionFactory factory, String host, int port) {
		LettuceClientConfiguration settings = factory.getClientConfiguration();
		RedisURI.Builder uri = RedisURI.builder()
			.withHost(host)
			.withPort(port)
			.withTimeout(settings.getCommandTimeout())
			.withSsl(settings.isUseSsl())
			.withStartTls(settings.isStartTls())
			.withVerifyPeer(settings.getVerifyMode());
		settings.getClientName().ifPresent(uri::withClientName);
		authenticate(uri, configuration(factory), settings);
		return uri.build();
	}

	private static void authenticate(RedisURI.Builder uri, @Nullable RedisConfiguration redis,
			LettuceClientConfiguration settings) {
		RedisCredentialsProviderFactory credentials = settings.getRedisCredentialsProviderFactory().orElse(null);
		if (credentials != null && redis != null) {
			uri.withAuthentication(credentials.createCredentialsProvider(redis));
		}
		else if (redis instanceof RedisConfiguration.WithAuthentication user && user.getPassword().isPresent()) {
			char[] password = user.getPassword().get();
			if (user.getUsername() != null) {
				uri.withAuthentication(user.getUsername(), password);
			}
			else {
				uri.withPassword(password);
			}
		}
	}

	private static boolean readsFromReplicas(LettuceClientConfiguration client) {
		return client.getReadFrom().filter((from) -> from != ReadFrom.UPSTREAM).isPresent();
	}

	static boolean isCopy(RedisConnectionFactory factory) {
		return factory instanceof Copy;
	}

	/** Beside Sentinel, Lettuce follows the primary only if told what to read from. */
	private static LettuceClientConfiguration settings(LettuceClientConfiguration application) {
		if (!(application instanceof LettucePoolingClientConfiguration) && !readsFromReplicas(application)) {
			return application;
		}
		LettuceClientConfigurationBuilder builder = builder(application);
		application.getReadFrom().ifPresent((from) -> builder.readFrom(ReadFrom.UPSTREAM));
		return builder.build();
	}

	private static LettuceClientConfigurationBuilder builder(LettuceClientConfiguration application) {
		LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.commandTimeout(application.getCommandTimeout())
			.shutdownTimeout(application.getShutdownTimeout())
			.shutdownQuietPeriod(application.getShutdownQuietPeriod());
		application.getClientResources().ifPresent(builder::clientResources);
		application.getClientOptions().ifPresent(builder::clientOptions);
		application.getClientName().ifPresent(builder::clientName);
		application.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
		if (application.isUseSsl()) {
			LettuceSslClientConfigurationBuilder ssl = builder.useSsl().verifyPeer(application.getVerifyMode());
			if (application.isStartTls()) {
				ssl.startTls();
			}
		}
		return builder;
	}

	/** The getters do not tell the kind: for a list of replicas they give localhost. */
	static @Nullable RedisConfiguration configuration(LettuceConnectionFactory lettuce) {
		try {
			return (RedisConfiguration) new DirectFieldAccessor(lettuce).getPropertyValue("configuration");
		}
		catch (BeansException ex) {
			return null;
		}
	}

	/**
	 * Stops though Redis is silent: threads connect under a lock that whoever stops the
	 * factory waits for, so they are interrupted.
	 */
	private static final class Copy extends LettuceConnectionFactory {

		private final Set<Thread> connecting = ConcurrentHashMap.newKeySet();

		private volatile boolean stopping;

		Copy(RedisConfiguration redis, LettuceClientConfiguration client) {
			super(redis, client);
		}

		@Override
		public RedisConnection getConnection() {
			Thread caller = Thread.currentThread();
			this.connecting.add(caller);
			try {
				if (!this.stopping) {
					return super.getConnection();
				}
			}
			catch (RuntimeException ex) {
				// Else it is that of an interrupt, or of fields that are gone
				if (!this.stopping) {
					throw ex;
				}
			}
			finally {
				this.connecting.remove(caller);
			}
			throw new IllegalStateException("The server's connections are closed");
		}

		@Override
		public void start() {
			if (this.stopping) {
				// Whoever waited behind the stop may have left what can never connect
				resetConnection();
			}
			super.start();
			this.stopping = false;
		}

		@Override
		public void stop() {
			this.stopping = true;
			this.connecting.forEach(Thread::interrupt);
			super.stop();
		}

	}

}
