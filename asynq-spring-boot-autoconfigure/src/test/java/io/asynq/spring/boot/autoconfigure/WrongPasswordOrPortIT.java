package io.asynq.spring.boot.autoconfigure;

import java.util.List;

import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
 * An application whose password or port is wrong: log and health name the cause, the
 * property and the way out, and Redis is not hammered.
 */
@Tag("slow")
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
class WrongPasswordOrPortIT {

	@Test
	void wrongPassword(CapturedOutput output) {
		TestRedis redis = TestRedis.startOwn("requirepass secret");
		try (Jedis jedis = redis.node().connect()) {
			jedis.auth("secret");
			assertThat(attempts(redis.port(), () -> info(jedis, "stats", "total_connections_received:"), output,
					List.of("WRONGPASS", "spring.data.redis.password"), "spring.data.redis.password=guess"))
				.isLessThanOrEqualTo(LOOPS * TRIES + SWEEP);
		}
		finally {
			redis.stop();
		}
	}

	@Test
	void unexpectedPassword(CapturedOutput output) {
		TestRedis redis = TestRedis.startOwn();
		try (Jedis jedis = redis.node().connect()) {
			assertThat(attempts(redis.port(), () -> info(jedis, "stats", "total_connections_received:"), output,
					List.of("remove spring.data.redis.password"), "spring.data.redis.password=guess"))
				.isLessThanOrEqualTo(LOOPS * TRIES + SWEEP);
		}
		finally {
			redis.stop();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynq.limits.pdf.concurrent=1", "asynq.server.queues.low=1" })
	void portWithoutListener(String property, CapturedOutput output) {
		attempts(TestRedis.freePort(), () -> 0, output,
				List.of("Redis cannot be reached", "spring.data.redis.host", "spring.data.redis.port"), property,
				"asynq.scheduler.entries.often.type=greet", "asynq.scheduler.entries.often.cron=@every 1h");
	}

}
