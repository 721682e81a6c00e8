package io.asynq.broker.redis;

import io.asynq.AsynqException;
import io.asynq.test.LettuceRedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(LettuceRedisExtension.class)
class InspectLettuceIT extends InspectContract {

	InspectLettuceIT(RedisConnectionFactory factory) {
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
