package io.asynq;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RetryDelayPolicyTests {

	@ParameterizedTest
	@CsvSource({ "0, 15, 44", "1, 16, 74", "2, 31, 118", "24, 331791, 332516" })
	void growsByTheFourthPowerWithJitterAsInGo(int retried, long shortest, long longest) {
		RetryDelayPolicy policy = RetryDelayPolicy.exponential();
		for (int i = 0; i < 1000; i++) {
			Duration delay = policy.delay(retried, new IllegalStateException(), Task.of("t", "x"));
			assertThat(delay).isBetween(Duration.ofSeconds(shortest), Duration.ofSeconds(longest));
			assertThat(delay.minusSeconds(shortest).toSeconds() % (retried + 1)).isZero();
		}
	}

}
