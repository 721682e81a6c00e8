package io.asynq.benchmarks.process;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.RedisNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;

/** A Redis Cluster of three masters and its measured values. */
public final class ClusterProcesses implements AutoCloseable {

	private final ClusterRedis cluster;

	private final List<Jedis> masters;

	private ClusterProcesses(ClusterRedis cluster) {
		this.cluster = cluster;
		this.masters = cluster.nodes().stream().map(RedisNode::connect).toList();
	}

	public static ClusterProcesses start(String persistence) {
		return new ClusterProcesses(ClusterRedis.startWithoutReplicas(persistence));
	}

	public String addresses() {
		return this.cluster.nodes().stream().map(RedisNode::address).collect(Collectors.joining(","));
	}

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

	public JedisConnectionFactory connect() {
		return RedisProcess.connect(new JedisConnectionFactory(
				new RedisClusterConfiguration(this.cluster.nodes().stream().map(RedisNode::address).toList()),
				RedisProcess.PATIENT));
	}

	public List<Jedis> masters() {
		return this.masters;
	}

	/** Returns a connection to the master of a queue, for one thread. */
	public Jedis masterOf(String queue) {
		return this.masters.get(ClusterRedis.indexOf(ClusterRedis.slotOfQueue(queue)));
	}

	public List<Long> cpuNanos() {
		return this.masters.stream().map(RedisProcess::cpuNanos).toList();
	}

	@Override
	public void close() {
		this.masters.forEach(Jedis::close);
		this.cluster.close();
	}

}
