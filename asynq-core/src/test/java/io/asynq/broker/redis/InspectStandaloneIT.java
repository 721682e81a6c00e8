package io.asynq.broker.redis;

import io.asynq.AsynqException;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(RedisExtension.class)
class InspectStandaloneIT extends InspectContract {

	InspectStandaloneIT(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void saysThatASingleRedisIsNoCluster() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.broker.cluster().keySlot(QUEUE))
			.withMessageContaining("'default'")
			.withMessageContaining("spring.data.redis.cluster.nodes");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.broker.cluster().nodes(QUEUE))
			.withMessageContaining("no cluster");
	}

}
