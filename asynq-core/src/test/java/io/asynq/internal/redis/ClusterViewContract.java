package io.asynq.internal.redis;

import java.util.List;

import io.asynq.inspect.ClusterNode;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the keys of a queue are in a cluster.
 */
@OnDrivers(Driver.CLUSTER)
class ClusterViewContract extends BrokerContract {

	ClusterViewContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void reportsSlotAndNodesOfQueue() {
		for (String queue : List.of(QUEUE, "User:42", "{x}", "gr\u00fcn")) {
			byte[] key = utf8("asynq:{" + queue + "}:pending");
			try (RedisClusterConnection connection = this.factory.getClusterConnection()) {
				assertThat(this.broker.fleet().keySlot(queue)).isEqualTo(connection.clusterGetSlotForKey(key));
				RedisClusterNode master = connection.clusterGetNodeForKey(key);
				assertThat(this.broker.fleet().nodes(queue)).first()
					.isEqualTo(new ClusterNode(master.getId(), master.getHost() + ":" + master.getPort()));
			}
		}
	}

}
