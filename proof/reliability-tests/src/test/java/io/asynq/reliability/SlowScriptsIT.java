package io.asynq.reliability;

import io.asynq.test.redis.StandaloneRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlowScriptsIT {

	@Test
	void reportsDurationOfLongestScript() {
		try (StandaloneRedis redis = StandaloneRedis.start("slowlog-log-slower-than 1000")) {
			assertThat(SlowScripts.longestMillis(redis)).isZero();
			redis.node().<Object>call((jedis) -> jedis.eval("local n = 0; for i = 1, 20000000 do n = n + i end"));
			assertThat(SlowScripts.longestMillis(redis)).isPositive();
		}
	}

}
