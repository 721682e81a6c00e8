package io.asynq.test.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Three masters, each with one replica or none, created by plain commands instead of
 * {@code redis-cli}.
 */
public final class ClusterRedis implements ClockedRedis {

	private static final int MASTERS = 3;

	private static final int SLOTS = 16384;

	private final int replicas;

	private final List<RedisNode> nodes = new ArrayList<>();

	private @Nullable JedisConnectionFactory connections;

	private @Nullable JedisConnectionFactory producerConnections;

	private ClusterRedis(int replicas) {
		this.replicas = replicas;
	}

	/**
	 * @param settings lines of each node's configuration file
	 */
	public static ClusterRedis start(String... settings) {
		return start(1, RedisNode::start, settings);
	}

	/**
	 * @param settings lines of each node's configuration file
	 */
	public static ClusterRedis startWithoutReplicas(String... settings) {
		return start(0, RedisNode::start, settings);
	}

	public static ClusterRedis startWithClocks() {
		return start(1, RedisNode::startWithClock);
	}

	private static ClusterRedis start(int replicas, BiFunction<Integer, List<String>, RedisNode> start,
			String... settings) {
		ClusterRedis cluster = new ClusterRedis(replicas);
		try {
			cluster.startNodes(start, List.of(settings));
			cluster.join();
			cluster.awaitComplete();
			return cluster;
		}
		catch (RuntimeException ex) {
			cluster.close();
			throw ex;
		}
	}

	public static int slotOfQueue(String queue) {
		return JedisClusterCRC16.getSlot("asynq:{" + queue + "}:");
	}

	/** The index in {@link #nodes()}, unless the slot has moved. */
	public static int indexOf(int slot) {
		return slot * MASTERS / SLOTS;
	}

	/** First the original masters, then their replicas. */
	public List<RedisNode> nodes() {
		return List.copyOf(this.nodes);
	}

	public RedisNode master(int slot) {
		return node(topology().masterOf(slot).orElseThrow().port());
	}

	/**
	 * Waits until a replica has taken the master's place; the killed node, restarted,
	 * becomes a replica.
	 */
	public RedisNode killMaster(int slot) {
		RedisNode killed = master(slot);
		killed.kill();
		Awaitility.await("promotion of a replica for slot " + slot)
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// A node that changes its role closes its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> isOk()
					&& topology().masterOf(slot).filter((master) -> master.port() != killed.port()).isPresent());
		return killed;
	}

	/**
	 * Moves a slot with its keys while it is in use, as resharding does, and waits until
	 * every node knows.
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
	 * Every running node must know that all slots are served, and each replica must
	 * follow.
	 */
	public void awaitComplete() {
		Awaitility.await("a complete cluster")
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// A node that changes its role closes its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> isOk() && hasRoles());
	}

	/**
	 * Promotes replicas that start with the new clock: a replica whose clock is set while
	 * its master is down believes that it lost it that much earlier, and may refuse.
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
	public synchronized RedisConnectionFactory connections() {
		if (this.connections == null) {
			this.connections = StandaloneRedis
				.started(new JedisConnectionFactory(configuration(), StandaloneRedis.patient()));
		}
		return this.connections;
	}

	@Override
	public synchronized RedisConnectionFactory producerConnections() {
		if (this.producerConnections == null) {
			this.producerConnections = StandaloneRedis.started(new JedisConnectionFactory(configuration()));
		}
		return this.producerConnections;
	}

	@Override
	public @Nullable String goAddress() {
		return null;
	}

	@Override
	public synchronized void close() {
		if (this.connections != null) {
			this.connections.destroy();
		}
		if (this.producerConnections != null) {
			this.producerConnections.destroy();
		}
		this.nodes.forEach(RedisNode::close);
	}

	private RedisClusterConfiguration configuration() {
		return new RedisClusterConfiguration(this.nodes.stream().map(RedisNode::address).toList());
	}

	private void startNodes(BiFunction<Integer, List<String>, RedisNode> start, List<String> settings) {
		List<String> lines = new ArrayList<>(
				List.of("cluster-enabled yes", "cluster-node-timeout 2000", "repl-diskless-sync-delay 0"));
		lines.addAll(settings);
		for (int i = 0; i < MASTERS * (1 + this.replicas); i++) {
			this.nodes.add(start.apply(Ports.freeForCluster(), lines));
		}
	}

	private void join() {
		for (int i = 0; i < this.nodes.size(); i++) {
			try (Jedis jedis = this.nodes.get(i).connect()) {
				int index = i;
				jedis.clusterSetConfigEpoch(i + 1);
				if (i < MASTERS) {
					jedis.clusterAddSlots(IntStream.range(0, SLOTS).filter((slot) -> indexOf(slot) == index).toArray());
				}
				if (i > 0) {
					jedis.clusterMeet(Ports.HOST, this.nodes.get(0).port());
				}
			}
		}
		awaitAcquaintance();
		for (int i = MASTERS; i < this.nodes.size(); i++) {
			String master = this.nodes.get(i % MASTERS).call((jedis) -> jedis.clusterMyId());
			this.nodes.get(i).call((jedis) -> jedis.clusterReplicate(master));
		}
	}

	private void awaitAcquaintance() {
		Awaitility.await("nodes that know each other")
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(this::knowEachOther);
	}

	private boolean knowEachOther() {
		List<String> ids = this.nodes.stream()
			.map((node) -> node.<String>call((jedis) -> jedis.clusterMyId()))
			.toList();
		return this.nodes.stream()
			.map((node) -> node.<String>call((jedis) -> jedis.clusterNodes()))
			.allMatch((known) -> !known.contains("handshake") && ids.stream().allMatch(known::contains));
	}

	/**
	 * Replicas as well: one that is promoted before it knows of the move would serve the
	 * slot without its keys.
	 */
	private void awaitAgreement(int slot, ClusterTopology.Member owner) {
		Awaitility.await("agreement on slot " + slot)
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// A node that changes its role closes its connections
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
			// Redis gives up after five seconds, so the request is repeated
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
			// A node that changes its role closes its connections
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
			.map((node) -> node.<String>call((jedis) -> jedis.clusterInfo()))
			.allMatch((info) -> info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS));
	}

	private boolean hasRoles() {
		List<Map<String, String>> nodes = living().stream().map((node) -> node.info("replication")).toList();
		long masters = nodes.stream().filter((node) -> "master".equals(node.get("role"))).count();
		long replicas = nodes.stream().filter((node) -> "up".equals(node.get("master_link_status"))).count();
		return masters == MASTERS && masters + replicas == nodes.size();
	}

}
