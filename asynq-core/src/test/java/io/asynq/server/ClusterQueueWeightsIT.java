package io.asynq.server;

import java.time.Duration;
import java.util.List;

import io.asynq.internal.worker.QueueSelectorTests;
import io.asynq.test.RedisClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static io.asynq.server.WeightedServers.queues;
import static io.asynq.server.WeightedServers.worst;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shares of queues on a cluster, where each queue is asked by itself, for up to 64
 * tasks at once.
 */
@Tag("slow")
@ExtendWith(RedisClusterExtension.class)
@Timeout(300)
class ClusterQueueWeightsIT {

	private static final int WINDOW = 1000;

	/**
	 * The 50.8 tasks of the rule, see {@link QueueSelectorTests}, wherever one looks, and
	 * a few for the order of starts.
	 */
	private static final int MOST = 55;

	private final WeightedServers servers;

	ClusterQueueWeightsIT(RedisConnectionFactory factory) {
		this.servers = new WeightedServers(factory);
	}

	@ParameterizedTest
	@CsvSource({ "10, PT0S, 10000", "64, PT0S, 10000", "64, PT0.02S, 3000" })
	void weightsHoldOverAnyThousandTasks(int concurrency, Duration handler, int tasks) throws Exception {
		List<String> taken = queues(this.servers.workOff(1, handler, concurrency, tasks));
		assertThat(worst(taken, tasks)).isLessThanOrEqualTo(MOST);
		assertThat(worst(taken, WINDOW)).isLessThanOrEqualTo(MOST);
	}

}
