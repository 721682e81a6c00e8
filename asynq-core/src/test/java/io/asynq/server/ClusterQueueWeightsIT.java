package io.asynq.server;

import java.time.Duration;
import java.util.List;

import io.asynq.test.RedisClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static io.asynq.server.WeightedServers.queues;
import static io.asynq.server.WeightedServers.worst;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shares of queues on a cluster, where each queue is asked by itself, for more tasks
 * than a share is exact to.
 */
@ExtendWith(RedisClusterExtension.class)
@Timeout(300)
class ClusterQueueWeightsIT {

	private static final int WINDOW = 1000;

	private final WeightedServers servers;

	ClusterQueueWeightsIT(RedisConnectionFactory factory) {
		this.servers = new WeightedServers(factory);
	}

	@ParameterizedTest
	@ValueSource(ints = { 10, 64 })
	void weightsHoldOverAnyThousandTasks(int concurrency) throws Exception {
		List<String> taken = queues(this.servers.workOff(1, Duration.ZERO, concurrency, 10_000));
		assertThat(worst(taken, taken.size())).isLessThanOrEqualTo(30);
		assertThat(worst(taken, WINDOW)).isLessThanOrEqualTo(60);
	}

	/** Calls that take long are as large as for short tasks. */
	@Test
	void weightsHoldOverAnyThousandLongTasks() throws Exception {
		List<String> taken = queues(this.servers.workOff(1, Duration.ofMillis(20), 64, 3000));
		assertThat(worst(taken, taken.size())).isLessThanOrEqualTo(10);
		assertThat(worst(taken, WINDOW)).isLessThanOrEqualTo(60);
	}

}
