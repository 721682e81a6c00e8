package io.asynq.reliability.baddata;

import io.asynq.reliability.redis.StandaloneRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(300)
class BadDataIT {

	@Test
	void nothingThatMakesNoSenseHoldsUpWhatDoes() {
		try (StandaloneRedis redis = StandaloneRedis.start()) {
			BadDataResult result = BadData.run(redis, Long.getLong("asynq.test.seed", 4),
					Integer.getInteger("asynq.test.corruptions", 400));
			System.out.println(result);
			assertThat(result.findings()).isEmpty();
		}
	}

}
