package io.asynq.internal.redis;

import io.asynq.AsynqException;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Questions that only a cluster can answer.
 */
@OnDrivers({ Driver.STANDALONE, Driver.LETTUCE })
class NoClusterContract extends BrokerContract {

	NoClusterContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void singleRedisIsReportedAsNoCluster() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.broker.fleet().keySlot(QUEUE))
			.withMessageContaining("'default'")
			.withMessageContaining("spring.data.redis.cluster.nodes");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.broker.fleet().nodes(QUEUE))
			.withMessageContaining("no cluster");
	}

}
