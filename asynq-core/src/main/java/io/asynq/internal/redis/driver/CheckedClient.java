package io.asynq.internal.redis.driver;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.jedis.JedisConnection;
import redis.clients.jedis.ClusterCommandArguments;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObjects;
import redis.clients.jedis.JedisClusterInfoCache;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.executors.ClusterCommandExecutor;
import redis.clients.jedis.executors.DefaultCommandExecutor;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * A second client over the same pools that checks connections, if Jedis does not hide the
 * pools; {@code pool} is {@code null} unless it is the only one for good.
 */
record CheckedClient(UnifiedJedis application, @Nullable JedisConnection view, @Nullable Pool<?> pool) {

	@SuppressWarnings("deprecation")
	static CheckedClient of(UnifiedJedis application, JedisCalls calls) {
		try {
			DirectFieldAccessor client = new DirectFieldAccessor(application);
			Object executor = client.getPropertyValue("executor");
			CommandObjects commands = (CommandObjects) client.getPropertyValue("commandObjects");
			if (executor != null && executor.getClass() == DefaultCommandExecutor.class) {
				CheckingExecutor checking = checking((DefaultCommandExecutor) executor, calls);
				UnifiedJedis checked = new UnifiedJedis(
						new BoundedExecutor(checking, (arguments) -> checking.presentPool()), null, commands);
				return new CheckedClient(application, new View(checked), checking.pool());
			}
			if (executor != null && executor.getClass() == ClusterCommandExecutor.class) {
				ClusterCommandExecutor cluster = (ClusterCommandExecutor) executor;
				JedisClusterInfoCache nodes = (JedisClusterInfoCache) new DirectFieldAccessor(cluster.provider)
					.getPropertyValue("cache");
				UnifiedJedis checked = new UnifiedJedis(
						new BoundedExecutor(checking(cluster, calls), (arguments) -> pool(nodes, arguments)), null,
						commands);
				return new CheckedClient(application, new ClusterView(checked), null);
			}
		}
		catch (BeansException | ClassCastException ex) {
			// Another version of Jedis, or a closed module
		}
		return new CheckedClient(application, null, null);
	}

	private static CheckingExecutor checking(DefaultCommandExecutor executor, JedisCalls calls) {
		return new CheckingExecutor((ConnectionProvider) new DirectFieldAccessor(executor).getPropertyValue("provider"),
				calls);
	}

	private static CheckingClusterExecutor checking(ClusterCommandExecutor executor, JedisCalls calls) {
		DirectFieldAccessor fields = new DirectFieldAccessor(executor);
		return new CheckingClusterExecutor(executor.provider, (Integer) fields.getPropertyValue("maxAttempts"),
				(Duration) fields.getPropertyValue("maxTotalRetriesDuration"), calls);
	}

	private static @Nullable Pool<?> pool(JedisClusterInfoCache nodes, CommandArguments arguments) {
		int slot = ((ClusterCommandArguments) arguments).getCommandHashSlot();
		return (slot >= 0) ? nodes.getSlotPool(slot) : null;
	}

	/** Does not ask the factory: one that was stopped has closed its pool. */
	boolean isOpen() {
		return this.view != null && this.pool != null && !this.pool.isClosed();
	}

	/**
	 * Shared by all callers, as it has no state here: creating one per call makes them
	 * wait for each other at a lock of the logging library.
	 */
	static class View extends JedisConnection {

		View(UnifiedJedis client) {
			super(client);
		}

		@Override
		public void close() {
			// It is shared
		}

	}

	/** Tells that each command goes to the node of its key. */
	static final class ClusterView extends View {

		ClusterView(UnifiedJedis client) {
			super(client);
		}

	}

}
