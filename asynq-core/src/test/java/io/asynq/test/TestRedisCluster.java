package io.asynq.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.MigrateParams;

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

	/**
	 * Keeps a master from doing anything until the process is told to go on; it looks as
	 * if it hung.
	 * @param address its {@code host:port}
	 * @return goes on
	 */
	public AutoCloseable pause(String address) {
		int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
		try (Jedis jedis = new Jedis(address.substring(0, address.indexOf(':')), port)) {
			String pid = jedis.info("server")
				.lines()
				.filter((line) -> line.startsWith("process_id:"))
				.findFirst()
				.orElseThrow()
				.substring("process_id:".length())
				.trim();
			signal("-STOP", pid);
			return () -> signal("-CONT", pid);
		}
	}

	private static void signal(String signal, String pid) {
		try {
			new ProcessBuilder("kill", signal, pid).start().waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Starts one more cluster, to be stopped by the caller.
	 * @return a running cluster
	 */
	public static TestRedisCluster startOwn() {
		try {
			TestRedisCluster cluster = new TestRedisCluster(new ArrayList<>(),
					Files.createTempDirectory("asynq-cluster"));
			for (int i = 0; i < MASTERS; i++) {
				cluster.masters.add(cluster.startNode(busPort()));
			}
			cluster.join();
			return cluster;
		}
		catch (IOException ex) {
			throw new IllegalStateException("A directory for the test cluster cannot be made", ex);
		}
	}

	private static TestRedisCluster start() {
		TestRedisCluster cluster = startOwn();
		Runtime.getRuntime().addShutdownHook(new Thread(cluster::stop));
		return cluster;
	}

	private TestRedis startNode(int port) {
		return TestRedis.startOwn(port, "cluster-enabled yes", "cluster-node-timeout 5000",
				"cluster-require-full-coverage no",
				"cluster-config-file " + this.directory.resolve("nodes-" + port + ".conf"));
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
		awaitComplete();
	}

	/**
	 * Stops the node that serves a slot and starts it again, without its data.
	 * @param slot the slot
	 */
	public void restartNodeOf(int slot) {
		int index = slot * MASTERS / SLOTS;
		TestRedis node = this.masters.get(index);
		node.stop();
		this.masters.set(index, startNode(node.port()));
		awaitComplete();
	}

	/**
	 * Begins to move a slot that has not moved before to another node, and leaves it at
	 * that: all of its keys stay.
	 * @param slot the slot
	 * @return ends the move
	 */
	public AutoCloseable halfMove(int slot) {
		int index = slot * MASTERS / SLOTS;
		TestRedis source = this.masters.get(index);
		TestRedis target = this.masters.get((index + 1) % MASTERS);
		String to;
		try (Jedis from = connect(source); Jedis into = connect(target)) {
			to = into.clusterMyId();
			into.clusterSetSlotImporting(slot, from.clusterMyId());
			from.clusterSetSlotMigrating(slot, to);
		}
		return () -> {
			try (Jedis from = connect(source); Jedis into = connect(target)) {
				List<String> keys = from.clusterGetKeysInSlot(slot, 100);
				while (!keys.isEmpty()) {
					from.migrate(target.host(), target.port(), 5000, new MigrateParams(), keys.toArray(String[]::new));
					keys = from.clusterGetKeysInSlot(slot, 100);
				}
				into.clusterSetSlotNode(slot, to);
				from.clusterSetSlotNode(slot, to);
			}
		};
	}

	/**
	 * Connects to the node that serves a slot.
	 * @param slot the slot
	 * @return a connection, to be closed
	 */
	public Jedis connectToNodeOf(int slot) {
		return connect(this.masters.get(slot * MASTERS / SLOTS));
	}

	private void awaitComplete() {
		// Nodes tell nobody when they have agreed
		Awaitility.await()
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
		return new Jedis(redis.host(), redis.port(), 60_000);
	}

	public void stop() {
		this.masters.forEach(TestRedis::stop);
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Directory of the test cluster is left behind: " + this.directory, ex);
		}
	}

}
