package io.asynq.internal.fleet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.inspect.ClusterNode;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.core.RedisCallback;

public final class ClusterNodes {

	private final ScriptRunner scripts;

	private final Consumer<Collection<Integer>> slotCheck;

	public ClusterNodes(ScriptRunner scripts, Consumer<Collection<Integer>> slotCheck) {
		this.scripts = scripts;
		this.slotCheck = slotCheck;
	}

	int keySlot(String queue) {
		return onCluster("CLUSTER KEYSLOT", queue, (connection, slot) -> slot);
	}

	List<ClusterNode> nodes(String queue) {
		return onCluster("CLUSTER NODES", queue, ClusterNodes::nodes);
	}

	Map<String, String> masters(Collection<String> queues) {
		if (queues.isEmpty()) {
			return Map.of();
		}
		this.slotCheck.accept(queues.stream().map(ClusterNodes::slot).toList());
		return onCluster("CLUSTER NODES", queues.iterator().next(), (connection, slot) -> {
			List<RedisClusterNode> masters = new ArrayList<>();
			connection.clusterGetNodes().forEach((node) -> {
				if (node.isMaster()) {
					masters.add(node);
				}
			});
			Map<String, String> found = new HashMap<>();
			for (String queue : queues) {
				int its = slot(queue);
				masters.stream()
					.filter((master) -> master.servesSlot(its))
					.findFirst()
					.ifPresent((master) -> found.put(queue, node(master).address()));
			}
			return found;
		});
	}

	private <T> T onCluster(String command, String queue, BiFunction<RedisClusterConnection, Integer, T> question) {
		int slot = slot(queue);
		return this.scripts.runAsGiven(command, Text.queue(queue), (RedisCallback<T>) (raw) -> {
			if (raw instanceof RedisClusterConnection connection) {
				return question.apply(connection, slot);
			}
			throw new AsynqException("Queue '" + queue + "' has no hash slot: the Redis that spring.data.redis points"
					+ " to is no cluster (see spring.data.redis.cluster.nodes)");
		});
	}

	private static int slot(String queue) {
		return ClusterSlotHashUtil.calculateSlot(Text.utf8(Keys.of(queue).pending()));
	}

	private static List<ClusterNode> nodes(RedisClusterConnection connection, int slot) {
		List<RedisClusterNode> all = new ArrayList<>();
		connection.clusterGetNodes().forEach(all::add);
		List<ClusterNode> nodes = new ArrayList<>();
		for (RedisClusterNode master : all) {
			if (master.isMaster() && master.servesSlot(slot)) {
				nodes.add(node(master));
				all.stream()
					.filter((node) -> master.getId() != null && master.getId().equals(node.getMasterId()))
					.forEach((replica) -> nodes.add(node(replica)));
			}
		}
		return nodes;
	}

	private static ClusterNode node(RedisClusterNode node) {
		return new ClusterNode(String.valueOf(node.getId()), node.getHost() + ":" + node.getPort());
	}

}
