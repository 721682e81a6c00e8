package io.asynq.reliability.baddata;

import io.asynq.test.redis.StandaloneRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(300)
class BadDataIT {

	@Test
	void inconsistentDataDoesNotBlockValidTasks() {
		try (StandaloneRedis redis = StandaloneRedis.start()) {
			BadData.Result result = BadData.run(redis, 4, 300);
			assertThat(result.findings()).isEmpty();
			assertThat(result.corruptions()).isGreaterThanOrEqualTo(300);
			assertThat(result.planted()).hasSize(14);
		}
	}

}
