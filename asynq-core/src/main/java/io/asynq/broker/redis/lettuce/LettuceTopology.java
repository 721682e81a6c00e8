package io.asynq.broker.redis.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.asynq.broker.redis.driver.ClusterView;
import io.asynq.logging.OneLineLogger;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClusterConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Has Lettuce learn at once that slots have another master. By itself it reads the
 * cluster again only after errors, and unless set otherwise at most every five seconds:
 * if it has just looked when a replica is promoted, its calls go to the dead master for
 * as long. Safe for concurrent use.
 */
public final class LettuceTopology implements ClusterView {

	private static final Logger logger = OneLineLogger.of(LettuceTopology.class);

	/** How long to wait for an answer; a node that answers does so in milliseconds. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/** How many nodes to ask until one answers. */
	private static final int NODES = 3;

	private final LettuceConnectionFactory factory;

	private LettuceTopology(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * Wraps a factory.
	 * @return the topology, {@code null} for another driver
	 */
	public static @Nullable LettuceTopology over(RedisConnectionFactory factory) {
		return (factory instanceof LettuceConnectionFactory lettuce) ? new LettuceTopology(lettuce) : null;
	}

	@Override
	public void check(Collection<Integer> slots) {
		if (!(this.factory.getNativeClient() instanceof RedisClusterClient client)) {
			return;
		}
		Partitions said = ask(client);
		if (said != null && slots.stream().anyMatch((slot) -> differs(client.getPartitions(), said, slot))) {
			await(client.refreshPartitionsAsync().toCompletableFuture());
		}
	}

	/** Over connections that are open anyway. */
	private @Nullable Partitions ask(RedisClusterClient client) {
		try (RedisConnection connection = this.factory.getConnection()) {
			return (connection instanceof LettuceClusterConnection ofCluster) ? ask(client, driver(ofCluster)) : null;
		}
		catch (DataAccessException | IllegalStateException ex) {
			logger.debug("Lettuce is not connected to the cluster", ex);
			return null;
		}
	}

	private static @Nullable Partitions ask(RedisClusterClient client, StatefulRedisClusterConnection<?, ?> driver) {
		List<RedisClusterNode> masters = new ArrayList<>(client.getPartitions());
		masters.removeIf((node) -> !node.getRole().isUpstream());
		Collections.shuffle(masters);
		return masters.stream()
			.limit(NODES)
			.map((node) -> await(driver.getConnectionAsync(node.getNodeId())
				.thenCompose((connection) -> connection.async().clusterNodes())
				.thenApply(ClusterPartitionParser::parse)))
			.filter((answer) -> answer != null)
			.findFirst()
			.orElse(null);
	}

	private static boolean differs(Partitions known, Partitions said, int slot) {
		RedisClusterNode right = said.getMasterBySlot(slot);
		RedisClusterNode present = known.getMasterBySlot(slot);
		return right != null && (present == null || !right.getNodeId().equals(present.getNodeId()));
	}

	private static <T> @Nullable T await(Future<T> answer) {
		try {
			return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("A node of the cluster does not tell who serves its slots", ex);
			return null;
		}
	}

	private static StatefulRedisClusterConnection<?, ?> driver(LettuceClusterConnection connection) {
		return ((RedisAdvancedClusterAsyncCommands<?, ?>) connection.getNativeConnection()).getStatefulConnection();
	}

}
