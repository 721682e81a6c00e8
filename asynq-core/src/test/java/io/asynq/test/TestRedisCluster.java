package io.asynq.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;

import org.springframework.util.FileSystemUtils;

/**
 * A Redis Cluster of three masters on loopback, started at first use and ended with the
 * JVM, from the same executables as {@link TestRedis}. It is joined by plain commands, so
 * no {@code redis-cli} is needed.
 */
public final class TestRedisCluster {

	private static final int MASTERS = 3;

	private static final int SLOTS = 16384;

	/** Each node also listens on its port plus this. */
	private static final int BUS_OFFSET = 10000;

	private static final class Holder {

		static final TestRedisCluster SHARED = start();

	}

	private final List<TestRedis> masters;

	private final Path directory;

	private TestRedisCluster(List<TestRedis> masters, Path directory) {
		this.masters = masters;
		this.directory = directory;
	}

	/**
	 * Returns the cluster that all tests of this JVM share.
	 * @return a running cluster
	 */
	public static TestRedisCluster shared() {
		return Holder.SHARED;
	}

	/**
	 * Returns the masters' addresses.
	 * @return {@code host:port} each
	 */
	public List<String> nodes() {
		return this.masters.stream().map((master) -> master.host() + ":" + master.port()).toList();
	}

	private static TestRedisCluster start() {
		try {
			Path directory = Files.createTempDirectory("asynq-cluster");
			TestRedisCluster cluster = new TestRedisCluster(new ArrayList<>(), directory);
			Runtime.getRuntime().addShutdownHook(new Thread(cluster::stop));
			for (int i = 0; i < MASTERS; i++) {
				int port = busPort();
				cluster.masters.add(TestRedis.startOwn(port, "cluster-enabled yes", "cluster-node-timeout 5000",
						"cluster-config-file " + directory.resolve("nodes-" + port + ".conf")));
			}
			cluster.join();
			return cluster;
		}
		catch (IOException ex) {
			throw new IllegalStateException("A directory for the test cluster cannot be made", ex);
		}
	}

	private static int busPort() {
		int port = TestRedis.freePort();
		return (port + BUS_OFFSET < 65536) ? port : busPort();
	}

	private void join() {
		TestRedis first = this.masters.get(0);
		for (int i = 0; i < MASTERS; i++) {
			try (Jedis jedis = connect(this.masters.get(i))) {
				jedis.clusterSetConfigEpoch(i + 1);
				jedis.clusterAddSlots(IntStream.range(SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS).toArray());
				if (i > 0) {
					jedis.clusterMeet(first.host(), first.port());
				}
			}
		}
		// Nodes tell nobody when they have agreed
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.masters.stream().allMatch(TestRedisCluster::isComplete));
	}

	private static boolean isComplete(TestRedis master) {
		try (Jedis jedis = connect(master)) {
			String info = jedis.clusterInfo();
			return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + MASTERS)
					&& info.contains("cluster_size:" + MASTERS);
		}
	}

	private static Jedis connect(TestRedis redis) {
		return new Jedis(redis.host(), redis.port());
	}

	private void stop() {
		this.masters.forEach(TestRedis::stop);
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Directory of the test cluster is left behind: " + this.directory, ex);
		}
	}

}
