package io.asynq.broker.redis.jedis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandObjects;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.executors.ClusterCommandExecutor;
import redis.clients.jedis.executors.CommandExecutor;
import redis.clients.jedis.executors.DefaultCommandExecutor;
import redis.clients.jedis.providers.ConnectionProvider;

import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.jedis.JedisConnection;

/**
 * Jedis's pooled client once more, over the same pools, with a look at each connection
 * before it is used. Jedis has no public way to its pools for Sentinel and for clusters;
 * where it cannot be looked into, calls go as the application set them up.
 *
 * @param application the application's client
 * @param checked the same with checks, {@code null} if it cannot be had
 * @param cluster whether it is one of a cluster
 */
record CheckedClient(UnifiedJedis application, @Nullable UnifiedJedis checked, boolean cluster) {

	@SuppressWarnings("deprecation")
	static CheckedClient of(UnifiedJedis application, JedisCalls calls) {
		try {
			DirectFieldAccessor client = new DirectFieldAccessor(application);
			Object executor = client.getPropertyValue("executor");
			CommandObjects commands = (CommandObjects) client.getPropertyValue("commandObjects");
			CommandExecutor checking = checking(executor, calls);
			if (checking != null) {
				return new CheckedClient(application, new UnifiedJedis(checking, null, commands),
						checking instanceof CheckingClusterExecutor);
			}
		}
		catch (BeansException | ClassCastException ex) {
			// Another version of Jedis, or a module that is closed
		}
		return new CheckedClient(application, null, false);
	}

	/**
	 * An application's own executor may do more than send.
	 */
	private static @Nullable CommandExecutor checking(@Nullable Object executor, JedisCalls calls) {
		if (executor == null) {
			return null;
		}
		DirectFieldAccessor fields = new DirectFieldAccessor(executor);
		if (executor.getClass() == DefaultCommandExecutor.class) {
			return new CheckingExecutor((ConnectionProvider) fields.getPropertyValue("provider"), calls);
		}
		if (executor.getClass() == ClusterCommandExecutor.class) {
			return new CheckingClusterExecutor(((ClusterCommandExecutor) executor).provider,
					(Integer) fields.getPropertyValue("maxAttempts"),
					(Duration) fields.getPropertyValue("maxTotalRetriesDuration"), calls);
		}
		return null;
	}

	/**
	 * Spring's connection over a pooled client is a view of all its connections: it holds
	 * nothing when no transaction was begun.
	 * @return the view, {@code null} if there are no checks
	 */
	@Nullable JedisConnection view() {
		if (this.checked == null) {
			return null;
		}
		return this.cluster ? new ClusterView(this.checked) : new JedisConnection(this.checked);
	}

	/**
	 * Tells that each command goes to the node of its key.
	 */
	static final class ClusterView extends JedisConnection {

		ClusterView(UnifiedJedis client) {
			super(client);
		}

	}

}
