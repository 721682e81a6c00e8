package io.asynq.test.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A master with two replicas and three Sentinels.
 */
public final class SentinelRedis implements RedisSetup {

	public static final String MASTER = "asynq";

	private static final int REPLICAS = 2;

	private static final int SENTINELS = 3;

	private static final int QUORUM = 2;

	private final List<RedisNode> nodes = new ArrayList<>();

	private final List<RedisNode> sentinels = new ArrayList<>();

	private @Nullable JedisConnectionFactory connections;

	private @Nullable JedisConnectionFactory producerConnections;

	private SentinelRedis() {
	}

	/**
	 * @param settings lines of each data node's configuration file
	 */
	public static SentinelRedis start(String... settings) {
		SentinelRedis setup = new SentinelRedis();
		try {
			setup.startNodes(List.of(settings));
			setup.startSentinels();
			setup.awaitReplicas(REPLICAS);
			setup.awaitSentinels();
			RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(MASTER);
			setup.sentinels.forEach((sentinel) -> configuration.sentinel(Ports.HOST, sentinel.port()));
			setup.connections = StandaloneRedis
				.started(new JedisConnectionFactory(configuration, StandaloneRedis.patient()));
			setup.producerConnections = StandaloneRedis.started(new JedisConnectionFactory(configuration));
			return setup;
		}
		catch (RuntimeException ex) {
			setup.close();
			throw ex;
		}
	}

	public RedisNode master() {
		int port = masterPort(this.sentinels.get(0));
		return this.nodes.stream().filter((node) -> node.port() == port).findFirst().orElseThrow();
	}

	/** Returns the killed node; restarted, it becomes a replica. */
	public RedisNode failOver() {
		return failOver(RedisNode::kill);
	}

	/** Pauses the master, whose connections stay open, and returns it to be resumed. */
	public RedisNode failOverHung() {
		return failOver(RedisNode::pause);
	}

	public void awaitReplicas(int count) {
		Awaitility.await(count + " replicas that follow")
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// A node that changes its role closes its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> this.nodes.stream().filter(SentinelRedis::follows).count() == count);
	}

	@Override
	public Map<String, String> springProperties() {
		return Map.of("spring.data.redis.sentinel.master", MASTER, "spring.data.redis.sentinel.nodes",
				this.sentinels.stream().map(RedisNode::address).collect(Collectors.joining(",")));
	}

	@Override
	public RedisConnectionFactory connections() {
		return Objects.requireNonNull(this.connections);
	}

	@Override
	public RedisConnectionFactory producerConnections() {
		return Objects.requireNonNull(this.producerConnections);
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
		if (this.producerConnections != null) {
			this.producerConnections.destroy();
		}
		this.sentinels.forEach(RedisNode::close);
		this.nodes.forEach(RedisNode::close);
	}

	private RedisNode failOver(Consumer<RedisNode> harm) {
		RedisNode deposed = master();
		harm.accept(deposed);
		Awaitility.await("promotion of a replica")
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// A node that changes its role closes its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> this.sentinels.stream().allMatch((sentinel) -> masterPort(sentinel) != deposed.port())
					&& "master".equals(master().info("replication").get("role")));
		return deposed;
	}

	private void startNodes(List<String> settings) {
		List<String> lines = new ArrayList<>(settings);
		lines.add("repl-diskless-sync-delay 0");
		RedisNode master = RedisNode.start(Ports.free(), lines);
		this.nodes.add(master);
		lines.add("replicaof " + Ports.HOST + " " + master.port());
		for (int i = 0; i < REPLICAS; i++) {
			this.nodes.add(RedisNode.start(Ports.free(), lines));
		}
	}

	private void startSentinels() {
		for (int i = 0; i < SENTINELS; i++) {
			this.sentinels.add(RedisNode.startSentinel(Ports.free(),
					List.of("sentinel monitor %s %s %d %d".formatted(MASTER, Ports.HOST, this.nodes.get(0).port(),
							QUORUM), "sentinel down-after-milliseconds " + MASTER + " 2000",
							"sentinel failover-timeout " + MASTER + " 5000")));
		}
	}

	private void awaitSentinels() {
		Awaitility.await("Sentinels that know of each other")
			.atMost(RedisNode.PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			// A node that changes its role closes its connections
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> this.sentinels.stream().allMatch(SentinelRedis::isComplete));
	}

	private static boolean isComplete(RedisNode sentinel) {
		Map<String, String> master = sentinel.call((jedis) -> jedis.sentinelMaster(MASTER));
		return Integer.parseInt(master.get("num-other-sentinels")) == SENTINELS - 1
				&& Integer.parseInt(master.get("num-slaves")) == REPLICAS;
	}

	private static int masterPort(RedisNode sentinel) {
		return Integer.parseInt(sentinel.call((jedis) -> jedis.sentinelGetMasterAddrByName(MASTER)).get(1));
	}

	private static boolean follows(RedisNode node) {
		if (!node.isAlive()) {
			return false;
		}
		Map<String, String> replication = node.info("replication");
		return "slave".equals(replication.get("role")) && "up".equals(replication.get("master_link_status"));
	}

}
