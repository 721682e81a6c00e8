package io.asynq.benchmarks.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.asynq.test.redis.CommandWatch;
import io.asynq.test.redis.Ports;
import io.asynq.test.redis.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;

/** A Redis and its measured values. */
public final class RedisProcess implements AutoCloseable {

	static final JedisClientConfiguration PATIENT = JedisClientConfiguration.builder()
		.readTimeout(Duration.ofMinutes(1))
		.usePooling()
		.build();

	private static final Duration SETTLING = Duration.ofMillis(500);

	private final String persistence;

	private final RedisNode node;

	private final Jedis jedis;

	private RedisProcess(String persistence, RedisNode node) {
		this.persistence = persistence;
		this.node = node;
		this.jedis = node.connect();
	}

	public static RedisProcess start(String persistence) {
		String setting = "appendonly " + ("none".equals(persistence) ? "no" : "yes");
		return new RedisProcess(setting, RedisNode.start(Ports.free(), List.of(setting)));
	}

	public String persistence() {
		return this.persistence;
	}

	public String address() {
		return this.node.address();
	}

	public int port() {
		return this.node.port();
	}

	public Jedis jedis() {
		return this.jedis;
	}

	public String version() {
		return info("server").get("redis_version");
	}

	public long cpuNanos() {
		return cpuNanos(this.jedis);
	}

	static long cpuNanos(Jedis jedis) {
		Map<String, String> cpu = RedisNode.info(jedis, "cpu");
		return (long) (1e9
				* (Double.parseDouble(cpu.get("used_cpu_user")) + Double.parseDouble(cpu.get("used_cpu_sys"))));
	}

	public long commands() {
		return info("commandstats").values()
			.stream()
			.mapToLong((line) -> Long.parseLong(line.replaceFirst("calls=(\\d+).*", "$1")))
			.sum();
	}

	public long connections() {
		return Long.parseLong(info("stats").get("total_connections_received"));
	}

	public CommandWatch watch(Consumer<String> listener) {
		try {
			return this.node.watch(listener);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** With a long time-out for a machine that stands still; the caller destroys it. */
	public JedisConnectionFactory connect() {
		return connect(new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port()), PATIENT));
	}

	static JedisConnectionFactory connect(JedisConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	/**
	 * Once closed connections have released their buffers and the key table is rehashed.
	 */
	public long settledMemory() {
		LockSupport.parkNanos(SETTLING.toNanos());
		return Long.parseLong(info("memory").get("used_memory"));
	}

	@Override
	public void close() {
		this.jedis.close();
		this.node.close();
	}

	private Map<String, String> info(String section) {
		return RedisNode.info(this.jedis, section);
	}

}
