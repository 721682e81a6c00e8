package io.asynq.internal.redis.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.asynq.internal.text.OneLineLogger;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClusterConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Tells Lettuce that slots have moved: by itself it looks after errors only, and at most
 * every five seconds, and as long its calls would go to a dead master.
 */
public final class LettuceTopology implements Consumer<Collection<Integer>> {

	private static final Logger logger = OneLineLogger.of(LettuceTopology.class);

	/** How long to wait for an answer; a node that answers does so in milliseconds. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/** How many nodes to ask until one answers. */
	private static final int NODES = 3;

	private final LettuceConnectionFactory factory;

	private Future<Void> refresh = CompletableFuture.completedFuture(null);

	private LettuceTopology(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	public static @Nullable LettuceTopology over(RedisConnectionFactory factory) {
		return (factory instanceof LettuceConnectionFactory lettuce) ? new LettuceTopology(lettuce) : null;
	}

	@Override
	public void accept(Collection<Integer> slots) {
		try (RedisConnection connection = this.factory.getConnection()) {
			if (connection instanceof LettuceClusterConnection cluster
					&& this.factory.getNativeClient() instanceof RedisClusterClient client) {
				Partitions said = ask(client, driver(cluster));
				if (said != null && slots.stream().anyMatch((slot) -> differs(client.getPartitions(), said, slot))) {
					await(refresh(client));
				}
			}
		}
		catch (RuntimeException ex) {
			// It is asked again soon, and Lettuce looks by itself
			logger.debug("It was not found out who serves the slots of the cluster", ex);
		}
	}

	/** A refresh connects to all nodes, for as long as that takes. */
	private synchronized Future<Void> refresh(RedisClusterClient client) {
		if (this.refresh.isDone()) {
			this.refresh = client.refreshPartitionsAsync().toCompletableFuture();
		}
		return this.refresh;
	}

	private static @Nullable Partitions ask(RedisClusterClient client, StatefulRedisClusterConnection<?, ?> driver) {
		List<RedisClusterNode> masters = new ArrayList<>(client.getPartitions());
		masters.removeIf((node) -> !node.getRole().isUpstream());
		Collections.shuffle(masters);
		return masters.stream()
			.limit(NODES)
			.map((master) -> await(askAsync(driver, master.getUri())))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/** By its address, over the connection that commands to the node use. */
	private static Future<Partitions> askAsync(StatefulRedisClusterConnection<?, ?> driver, RedisURI node) {
		try {
			return driver.getConnectionAsync(node.getHost(), node.getPort())
				.thenCompose((connection) -> connection.async().clusterNodes())
				.thenApply(ClusterPartitionParser::parse);
		}
		catch (RuntimeException ex) {
			// Lettuce may have forgotten the node meanwhile
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Compares ids: behind a translation of addresses Lettuce may know other ones. */
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
