package io.asynq.internal.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.asynq.internal.redis.driver.JedisPools;
import io.asynq.internal.redis.driver.PoolUse;
import io.asynq.test.TestRedis;
import io.asynq.test.TestRedisCluster;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class JedisPoolsIT {

	private static final int SIZE = 2;

	private @Nullable JedisConnectionFactory factory;

	@AfterEach
	void close() {
		this.factory.destroy();
	}

	@Test
	void tellsWhoHasConnectionsAndWhoWaits() {
		TestRedis redis = TestRedis.shared();
		Supplier<PoolUse> pool = start(
				new JedisConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()), settings()));
		RedisClient client = (RedisClient) this.factory.getConnection().getNativeConnection();
		CompletableFuture<Connection> waiting;
		try (Connection first = client.getPool().getResource(); Connection second = client.getPool().getResource()) {
			assertThat(List.of(first, second)).doesNotHaveDuplicates();
			waiting = CompletableFuture.supplyAsync(client.getPool()::getResource,
					new SimpleAsyncTaskExecutor("handler-"));
			await().untilAsserted(() -> assertThat(pool.get()).isEqualTo(new PoolUse(SIZE, 0, SIZE, 1)));
		}
		waiting.join().close();
		assertThat(pool.get()).isEqualTo(new PoolUse(0, SIZE, SIZE, 0));
	}

	@Test
	void addsUpNodesOfCluster() {
		Supplier<PoolUse> pool = start(new JedisConnectionFactory(
				new RedisClusterConfiguration(TestRedisCluster.shared().nodes()), settings()));
		RedisClusterClient client = (RedisClusterClient) this.factory.getConnection().getNativeConnection();
		int nodes = client.getClusterNodes().size();
		assertThat(nodes).isGreaterThan(1);
		List<Connection> lent = client.getClusterNodes().values().stream().map(ConnectionPool::getResource).toList();
		assertThat(pool.get()).extracting(PoolUse::active, PoolUse::max).containsExactly(nodes, nodes * SIZE);
		lent.forEach(Connection::close);
		assertThat(pool.get()).extracting(PoolUse::active).isEqualTo(0);
	}

	@Test
	void stoppedFactoryHasNone() {
		TestRedis redis = TestRedis.shared();
		Supplier<PoolUse> pool = start(
				new JedisConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()), settings()));
		assertThat(pool.get()).isNotNull();
		this.factory.stop();
		assertThat(pool.get()).isNull();
	}

	private Supplier<PoolUse> start(JedisConnectionFactory created) {
		this.factory = created;
		created.afterPropertiesSet();
		created.start();
		return JedisPools.of(created);
	}

	private static JedisClientConfiguration settings() {
		GenericObjectPoolConfig<?> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(SIZE);
		var settings = JedisClientConfiguration.builder();
		settings.usePooling().poolConfig(pool);
		return settings.build();
	}

}
