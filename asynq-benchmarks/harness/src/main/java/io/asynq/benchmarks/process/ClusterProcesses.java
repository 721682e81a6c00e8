package io.asynq.benchmarks.process;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.RedisNode;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * A Redis Cluster of three masters and its measured values.
 */
public final class ClusterProcesses implements AutoCloseable {

	private final ClusterRedis cluster;

	private final List<Jedis> masters;

	private ClusterProcesses(ClusterRedis cluster) {
		this.cluster = cluster;
		this.masters = cluster.nodes().stream().map(RedisNode::connect).toList();
	}

	/**
	 * Starts a cluster.
	 * @param persistence the line of the configuration that says how masters write to
	 * disk
	 */
	public static ClusterProcesses start(String persistence) {
		return new ClusterProcesses(ClusterRedis.startWithoutReplicas(persistence));
	}

	/**
	 * Returns the addresses of the masters, separated by commas.
	 */
	public String addresses() {
		return this.cluster.nodes().stream().map(RedisNode::address).collect(Collectors.joining(","));
	}

	/**
	 * Returns names of queues, as many on each master, in turns.
	 */
	public List<String> queues(int number) {
		List<List<String>> byMaster = IntStream.range(0, this.masters.size())
			.mapToObj((master) -> IntStream.range(0, 1000)
				.mapToObj((i) -> "bench" + i)
				.filter((queue) -> ClusterRedis.indexOf(ClusterRedis.slotOfQueue(queue)) == master)
				.limit(number)
				.toList())
			.toList();
		return IntStream.range(0, number)
			.mapToObj((i) -> byMaster.get(i % this.masters.size()).get(i / this.masters.size()))
			.toList();
	}

	/**
	 * Connects to the cluster; the caller destroys the factory.
	 */
	public JedisConnectionFactory connect() {
		JedisConnectionFactory connections = new JedisConnectionFactory(
				new RedisClusterConfiguration(this.cluster.nodes().stream().map(RedisNode::address).toList()),
				JedisClientConfiguration.builder().readTimeout(Duration.ofMinutes(1)).usePooling().build());
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	/**
	 * Returns a connection to each master, for one thread.
	 */
	public List<Jedis> masters() {
		return this.masters;
	}

	/** Returns a connection to the master of a queue, for one thread. */
	public Jedis masterOf(String queue) {
		return this.masters.get(ClusterRedis.indexOf(ClusterRedis.slotOfQueue(queue)));
	}

	/**
	 * Returns the CPU time of each master in nanoseconds.
	 */
	public List<Long> cpuNanos() {
		return this.masters.stream().map(RedisProcess::cpuNanos).toList();
	}

	@Override
	public void close() {
		this.masters.forEach(Jedis::close);
		this.cluster.close();
	}

}
