package io.asynq.broker.redis;

import java.util.List;

import io.asynq.broker.ClusterNode;
import io.asynq.test.RedisClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisClusterExtension.class)
class InspectClusterIT extends InspectContract {

	InspectClusterIT(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void tellsTheSlotAndTheNodesOfAQueue() {
		for (String queue : List.of(QUEUE, "User:42", "{x}", "gr\u00fcn")) {
			byte[] key = utf8("asynq:{" + queue + "}:pending");
			try (RedisClusterConnection connection = this.factory.getClusterConnection()) {
				assertThat(this.broker.cluster().keySlot(queue)).isEqualTo(connection.clusterGetSlotForKey(key));
				RedisClusterNode master = connection.clusterGetNodeForKey(key);
				assertThat(this.broker.cluster().nodes(queue)).first()
					.isEqualTo(new ClusterNode(master.getId(), master.getHost() + ":" + master.getPort()));
			}
		}
	}

}
