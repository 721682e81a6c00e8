package io.asynq.operations.preflight;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.ScriptRunner;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;

/** The only Redis, with an empty address and no node, or a master of a cluster. */
record StoreNode(ScriptRunner scripts, String address, String tag, @Nullable RedisClusterNode node) {

	private static final String SUBJECT = "the check at the start";

	/** Masters without slots hold nothing. */
	static List<StoreNode> all(ScriptRunner scripts) {
		return scripts.<List<StoreNode>>runAsGiven("CLUSTER NODES", SUBJECT, (connection) -> {
			List<StoreNode> nodes = new ArrayList<>();
			if (connection instanceof RedisClusterConnection cluster) {
				for (RedisClusterNode node : cluster.clusterGetNodes()) {
					if (node.isMaster() && !node.getSlotRange().getSlots().isEmpty()) {
						nodes.add(new StoreNode(scripts, node.getHost() + ":" + node.getPort(), tag(node), node));
					}
				}
			}
			else {
				nodes.add(new StoreNode(scripts, "", Keys.CHECK_TAGS.get(0), null));
			}
			return nodes;
		});
	}

	boolean isOnly() {
		return this.node == null;
	}

	@Nullable Properties info() {
		return ask("INFO", (connection) -> connection.serverCommands().info(),
				(cluster, node) -> cluster.serverCommands().info(node));
	}

	@Nullable Properties config(String name) {
		return ask("CONFIG GET", (connection) -> connection.serverCommands().getConfig(name),
				(cluster, node) -> cluster.serverCommands().getConfig(node, name));
	}

	@Nullable Long time() {
		return ask("TIME", (connection) -> connection.serverCommands().time(TimeUnit.MILLISECONDS),
				(cluster, node) -> cluster.serverCommands().time(node, TimeUnit.MILLISECONDS));
	}

	private <T> @Nullable T ask(String command, Only<T> only, One<T> one) {
		RedisClusterNode its = this.node;
		return this.scripts.<@Nullable T>runAsGiven(command, SUBJECT,
				(connection) -> (its != null && connection instanceof RedisClusterConnection cluster)
						? one.ask(cluster, its) : only.ask(connection));
	}

	private static String tag(RedisClusterNode node) {
		return IntStream.iterate(0, (n) -> n + 1)
			.mapToObj(String::valueOf)
			.filter((tag) -> node.servesSlot(ClusterSlotHashUtil.calculateSlot("{" + tag + "}")))
			.findFirst()
			.orElseThrow();
	}

	private interface Only<T> {

		@Nullable T ask(RedisConnection connection);

	}

	private interface One<T> {

		@Nullable T ask(RedisClusterConnection cluster, RedisClusterNode node);

	}

}
