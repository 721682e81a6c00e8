package io.asynq.internal.redis.driver;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.lettuce.core.ReadFrom;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/** Without a pool, which would lend a connection again whose subscription went silent. */
public final class CopiedLettuce {

	private CopiedLettuce() {
	}

	/** Zero for none, {@code null} for another driver. */
	public static @Nullable Duration timeout(RedisConnectionFactory factory) {
		return (factory instanceof LettuceConnectionFactory lettuce)
				? lettuce.getClientConfiguration().getCommandTimeout() : null;
	}

	/** {@code null} for another driver, or a subclass that may do more. */
	public static @Nullable LettuceConnectionFactory of(RedisConnectionFactory application) {
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
				&& readsFromReplicas(lettuce.getClientConfiguration())) ? of(application) : null;
		if (copy != null) {
			copy.afterPropertiesSet();
			copy.start();
		}
		return copy;
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

	static LettuceClientConfiguration ofOneNode(LettuceClientConfiguration application, ClientResources resources) {
		return builder(application).clientResources(resources).build();
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
