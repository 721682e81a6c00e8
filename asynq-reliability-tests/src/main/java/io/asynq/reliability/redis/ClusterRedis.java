package io.asynq.reliability.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * A Redis Cluster of three masters with a replica each.
 */
public final class ClusterRedis implements ClockedRedis {

	private static final int MASTERS = 3;

	private static final int NODES = 2 * MASTERS;

	private final List<RedisNode> nodes = new ArrayList<>();

	private @Nullable JedisConnectionFactory connections;

	private ClusterRedis() {
	}

	/**
	 * Starts the nodes, joins them by {@code redis-cli}, and waits until each replica
	 * follows its master.
	 * @param settings lines of each node's configuration file
	 * @return the cluster
	 */
	public static ClusterRedis start(String... settings) {
		return start(RedisNode::start, settings);
	}

	/**
	 * Starts the nodes so that their clocks can be set.
	 * @return the cluster
	 */
	public static ClusterRedis startWithClocks() {
		return start(RedisNode::startWithClock);
	}

	private static ClusterRedis start(BiFunction<Integer, List<String>, RedisNode> start, String... settings) {
		ClusterRedis cluster = new ClusterRedis();
		try {
			cluster.startNodes(start, List.of(settings));
			cluster.join();
			cluster.awaitComplete();
			cluster.connections = StandaloneRedis.started(new JedisConnectionFactory(
					new RedisClusterConfiguration(cluster.nodes.stream().map(RedisNode::address).toList())));
			return cluster;
		}
		catch (RuntimeException ex) {
			cluster.close();
			throw ex;
		}
	}

	/**
	 * Returns the slot of all keys of a queue.
	 * @param queue the queue
	 * @return the slot
	 */
	public static int slotOfQueue(String queue) {
		return JedisClusterCRC16.getSlot("asynq:{" + queue + "}:");
	}

	/**
	 * Finds the master of a slot.
	 * @param slot the slot
	 * @return the process
	 */
	public RedisNode master(int slot) {
		return node(topology().masterOf(slot).orElseThrow().port());
	}

	/**
	 * Kills the master of a slot and waits until its replica has taken its place.
	 * @param slot the slot
	 * @return the one that was killed, which may be started again: it becomes a replica
	 */
	public RedisNode killMaster(int slot) {
		RedisNode killed = master(slot);
		killed.kill();
		Awaitility.await("promotion of a replica for slot " + slot)
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// Who is given another role cuts its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> isOk()
					&& topology().masterOf(slot).filter((master) -> master.port() != killed.port()).isPresent());
		return killed;
	}

	/**
	 * Moves a slot with its keys to another master while it is in use, as resharding
	 * does, and waits until every node knows it.
	 * @param slot the slot
	 * @param order makes up the order in which keys are moved
	 */
	public void moveSlot(int slot, Random order) {
		ClusterTopology topology = topology();
		ClusterTopology.Member from = topology.masterOf(slot).orElseThrow();
		ClusterTopology.Member to = topology.masters()
			.stream()
			.filter((master) -> !master.equals(from))
			.findFirst()
			.orElseThrow();
		new SlotMove(slot, from, to, order).run((member) -> node(member.port()));
		List<ClusterTopology.Member> others = new ArrayList<>(topology.masters());
		others.removeAll(List.of(from, to));
		others.forEach((other) -> node(other.port()).call((jedis) -> jedis.clusterSetSlotNode(slot, to.id())));
		awaitAgreement(slot, to);
	}

	/**
	 * Waits until each node that runs says that all slots are served, and each replica
	 * follows.
	 */
	public void awaitComplete() {
		Awaitility.await("a complete cluster")
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// Who is given another role cuts its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> isOk() && hasRoles());
	}

	/**
	 * Promotes replicas with another clock, one after the other and in good order: each
	 * has all that its master has acknowledged. They start with that clock: a replica
	 * whose clock is set while its master is gone says that it lost its master that much
	 * earlier, and may be too far behind to be promoted.
	 * @param ahead by how much their clocks are ahead of this machine's
	 */
	@Override
	public void setClock(Duration ahead) {
		List<RedisNode> replicas = this.nodes.stream().filter((node) -> !isMaster(node)).toList();
		for (RedisNode replica : replicas) {
			replica.kill();
			replica.setClock(ahead);
			replica.restart();
		}
		awaitComplete();
		replicas.forEach(this::promote);
	}

	@Override
	public Map<String, String> springProperties() {
		return Map.of("spring.data.redis.cluster.nodes",
				this.nodes.stream().map(RedisNode::address).collect(Collectors.joining(",")));
	}

	@Override
	public RedisConnectionFactory connections() {
		return Objects.requireNonNull(this.connections);
	}

	@Override
	public @Nullable String goAddress() {
		return null;
	}

	@Override
	public void close() {
		if (this.connections != null) {
			this.connections.destroy();
		}
		this.nodes.forEach(RedisNode::close);
	}

	private void startNodes(BiFunction<Integer, List<String>, RedisNode> start, List<String> settings) {
		List<String> lines = new ArrayList<>(settings);
		lines.addAll(List.of("cluster-enabled yes", "cluster-node-timeout 2000", "repl-diskless-sync-delay 0"));
		for (int i = 0; i < NODES; i++) {
			this.nodes.add(start.apply(Ports.freeForCluster(), lines));
		}
	}

	private void join() {
		List<String> command = new ArrayList<>(List.of("redis-cli", "--cluster", "create"));
		this.nodes.forEach((node) -> command.add(node.address()));
		command.addAll(List.of("--cluster-replicas", "1", "--cluster-yes"));
		Command.run(command.toArray(String[]::new));
	}

	/**
	 * Waits for replicas too: one that is promoted before it has heard of the slot serves
	 * it without its keys.
	 */
	private void awaitAgreement(int slot, ClusterTopology.Member owner) {
		Awaitility.await("agreement on slot " + slot)
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// Who is given another role cuts its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> living().stream()
				.allMatch((node) -> topology(node).masterOf(slot)
					.filter((master) -> master.port() == owner.port())
					.isPresent()));
	}

	private void promote(RedisNode replica) {
		Awaitility.await("promotion of " + replica.address())
			.atMost(RedisNode.PATIENCE)
			.pollDelay(Duration.ZERO)
			// Redis gives up after five seconds, so that it has to be asked again
			.ignoreExceptionsInstanceOf(ConditionTimeoutException.class)
			.until(() -> {
				if (!isMaster(replica)) {
					replica.call((jedis) -> jedis.clusterFailover());
				}
				awaitMaster(replica, Duration.ofSeconds(6));
				return true;
			});
		awaitComplete();
	}

	private static void awaitMaster(RedisNode replica, Duration atMost) {
		Awaitility.await()
			.atMost(atMost)
			.pollInterval(Duration.ofMillis(50))
			// Who is given another role cuts its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> isMaster(replica));
	}

	private static boolean isMaster(RedisNode node) {
		return "master".equals(node.info("replication").get("role"));
	}

	private ClusterTopology topology() {
		return topology(living().get(0));
	}

	private static ClusterTopology topology(RedisNode node) {
		return ClusterTopology.parse(node.call((jedis) -> jedis.clusterNodes()));
	}

	private RedisNode node(int port) {
		return this.nodes.stream().filter((node) -> node.port() == port).findFirst().orElseThrow();
	}

	private List<RedisNode> living() {
		return this.nodes.stream().filter(RedisNode::isAlive).toList();
	}

	private boolean isOk() {
		return living().stream()
			.allMatch((node) -> node.call((jedis) -> jedis.clusterInfo()).contains("cluster_state:ok"));
	}

	private boolean hasRoles() {
		List<Map<String, String>> nodes = living().stream().map((node) -> node.info("replication")).toList();
		long masters = nodes.stream().filter((node) -> "master".equals(node.get("role"))).count();
		long replicas = nodes.stream().filter((node) -> "up".equals(node.get("master_link_status"))).count();
		return masters == MASTERS && masters + replicas == nodes.size();
	}

}
