package io.asynq.spring.boot.autoconfigure;

import java.util.List;

import io.asynq.test.TestRedisCluster;
import io.asynq.test.Tier;
import io.asynq.test.redis.RedisNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import redis.clients.jedis.Jedis;

import static io.asynq.spring.boot.autoconfigure.VainTries.LOOPS;
import static io.asynq.spring.boot.autoconfigure.VainTries.SWEEP;
import static io.asynq.spring.boot.autoconfigure.VainTries.TRIES;
import static io.asynq.spring.boot.autoconfigure.VainTries.attempts;
import static io.asynq.spring.boot.autoconfigure.VainTries.info;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a Redis that it cannot use: log and health name the cause, the
 * property and the way out, and Redis is not hammered.
 */
@Tag("slow")
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
class WrongRedisIT {

	@Test
	void portOfAnotherService(CapturedOutput output) throws Exception {
		try (SlammingServer server = SlammingServer.start()) {
			assertThat(attempts(server.port(), server::attempts, output,
					List.of("Redis cannot be reached", "spring.data.redis.host", "spring.data.redis.port")))
				.as("a lost connection repeats calls that change nothing")
				.isLessThanOrEqualTo(2 * (LOOPS * TRIES + Tier.choose(SWEEP, 0)));
		}
	}

	@Test
	void outdatedRedis(CapturedOutput output) {
		try (RedisNode redis = OldRedis.start(); Jedis jedis = redis.connect()) {
			assertThat(attempts(redis.port(), () -> info(jedis, "stats", "total_commands_processed:"), output,
					List.of("asynq needs Redis 6.2", "spring.data.redis.host")))
				.isLessThanOrEqualTo(LOOPS * TRIES * 4);
		}
	}

	@Test
	void clusterConfiguredAsSingleNode(CapturedOutput output) {
		String[] node = TestRedisCluster.shared().nodes().get(0).split(":");
		int port = Integer.parseInt(node[1]);
		try (Jedis jedis = new Jedis(node[0], port, 60_000)) {
			assertThat(attempts(port, () -> info(jedis, "stats", "total_commands_processed:"), output,
					List.of("spring.data.redis.cluster.nodes")))
				.isLessThanOrEqualTo(LOOPS * TRIES * 4);
		}
	}

}
