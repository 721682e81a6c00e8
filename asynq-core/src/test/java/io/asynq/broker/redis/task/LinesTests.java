package io.asynq.broker.redis.task;

import java.time.Clock;

import io.asynq.broker.redis.ScriptTime;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of who may share calls.
 */
class LinesTests {

	@Test
	void springsOwnConnectionsAreTheSameForAllThreads() {
		assertThat(lines(new JedisConnectionFactory()).areOpen()).isTrue();
		assertThat(lines(new LettuceConnectionFactory()).areOpen()).isTrue();
	}

	@Test
	void otherConnectionsMayDependOnTheThread() {
		assertThat(lines(new JedisConnectionFactory() {
		}).areOpen()).isFalse();
		assertThat(lines(new LettuceConnectionFactory() {
		}).areOpen()).isFalse();
	}

	@Test
	void connectionBoundToTheThreadIsItsOwn() {
		RedisConnectionFactory connections = new JedisConnectionFactory();
		TransactionSynchronizationManager.bindResource(connections, "a connection");
		try {
			assertThat(lines(connections).areOpen()).isFalse();
		}
		finally {
			TransactionSynchronizationManager.unbindResource(connections);
		}
		assertThat(lines(connections).areOpen()).isTrue();
	}

	private static Lines lines(RedisConnectionFactory connections) {
		return new Lines(new StoreCalls(null, Clock.systemUTC(), ScriptTime.REDIS, null), connections);
	}

}
