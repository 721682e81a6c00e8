package io.asynq.test;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.RedisNode;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.MigrateParams;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * A Redis Cluster of three masters without replicas, each of which keeps its slots,
 * except for those that {@link #halfMove} moves.
 */
public final class TestRedisCluster {

	private static final class Holder {

		static final TestRedisCluster SHARED = startOwn();

	}

	private final ClusterRedis cluster;

	private TestRedisCluster(ClusterRedis cluster) {
		this.cluster = cluster;
	}

	public static TestRedisCluster shared() {
		return Holder.SHARED;
	}

	public static TestRedisCluster startOwn() {
		return new TestRedisCluster(
				ClusterRedis.startWithoutReplicas("cluster-node-timeout 5000", "cluster-require-full-coverage no"));
	}

	/** {@code host:port} of each master. */
	public List<String> nodes() {
		return this.cluster.nodes().stream().map(RedisNode::address).toList();
	}

	public String masterOf(String key) {
		return nodeOf(JedisClusterCRC16.getSlot(key)).address();
	}

	/**
	 * @param key makes the key of a name
	 */
	public List<String> namesOn(String address, UnaryOperator<String> key, int count) {
		return IntStream.iterate(0, (i) -> i + 1)
			.mapToObj((i) -> "on-" + i)
			.filter((name) -> masterOf(key.apply(name)).equals(address))
			.limit(count)
			.toList();
	}

	/**
	 * The process hangs until the result is closed and no node suspects it any more:
	 * Spring flushes only masters in good health.
	 */
	public AutoCloseable pause(String address) {
		RedisNode master = this.cluster.nodes()
			.stream()
			.filter((node) -> node.address().equals(address))
			.findFirst()
			.orElseThrow();
		master.pause();
		return () -> {
			master.resume();
			this.cluster.awaitComplete();
		};
	}

	/** It comes back without its data. */
	public void restartNodeOf(int slot) {
		RedisNode node = nodeOf(slot);
		node.kill();
		node.restart();
		this.cluster.awaitComplete();
	}

	/**
	 * Begins to move a slot that has not been moved before, and moves no keys until the
	 * result is closed.
	 */
	public AutoCloseable halfMove(int slot) {
		RedisNode source = nodeOf(slot);
		RedisNode target = this.cluster.nodes().stream().filter((node) -> node != source).findFirst().orElseThrow();
		String to;
		try (Jedis from = source.connect(); Jedis into = target.connect()) {
			to = into.clusterMyId();
			into.clusterSetSlotImporting(slot, from.clusterMyId());
			from.clusterSetSlotMigrating(slot, to);
		}
		return () -> {
			try (Jedis from = source.connect(); Jedis into = target.connect()) {
				List<String> keys = from.clusterGetKeysInSlot(slot, 100);
				while (!keys.isEmpty()) {
					from.migrate("127.0.0.1", target.port(), 5000, new MigrateParams(), keys.toArray(String[]::new));
					keys = from.clusterGetKeysInSlot(slot, 100);
				}
				into.clusterSetSlotNode(slot, to);
				from.clusterSetSlotNode(slot, to);
			}
		};
	}

	public Jedis connectToNodeOf(int slot) {
		return nodeOf(slot).connect();
	}

	public void stop() {
		this.cluster.close();
	}

	private RedisNode nodeOf(int slot) {
		return this.cluster.nodes().get(ClusterRedis.indexOf(slot));
	}

}
