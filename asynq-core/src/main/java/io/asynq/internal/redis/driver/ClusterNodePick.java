package io.asynq.internal.redis.driver;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.Assert;

/** Random, so that servers spread, and whoever met a broken node meets another. */
final class ClusterNodePick {

	private ClusterNodePick() {
	}

	/** {@code null} chooses any master. */
	static RedisStandaloneConfiguration from(JedisConnectionFactory application, @Nullable String chosen) {
		RedisClusterConfiguration cluster = application.getClusterConfiguration();
		Assert.state(cluster != null, "The connection factory is not one of a cluster");
		RedisNode node = (chosen != null) ? RedisNode.fromString(chosen) : pick(application);
		RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration(node.getRequiredHost(),
				node.getRequiredPort());
		standalone.setUsername(cluster.getUsername());
		standalone.setPassword(cluster.getPassword());
		return standalone;
	}

	private static RedisClusterNode pick(JedisConnectionFactory application) {
		List<RedisClusterNode> nodes = new ArrayList<>();
		try (RedisClusterConnection connection = application.getClusterConnection()) {
			connection.clusterGetNodes().forEach((node) -> {
				if (node.isMaster() && node.isConnected() && !node.isMarkedAsFail()) {
					nodes.add(node);
				}
			});
		}
		if (nodes.isEmpty()) {
			throw new RedisConnectionFailureException("No master of the cluster is connected");
		}
		Collections.shuffle(nodes);
		return nodes.get(0);
	}

}
