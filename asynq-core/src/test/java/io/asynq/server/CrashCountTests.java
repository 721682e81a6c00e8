package io.asynq.server;

import java.time.Duration;
import java.time.Instant;

import io.asynq.broker.EndedLease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CrashCountTests {

	private static final Duration LEASE = Duration.ofMinutes(10);

	@Test
	void theThirdCrashOfThreeIsTooMany() {
		CrashCount crashes = new CrashCount(3, LEASE);
		EndedLease second = crashes.count(crashes.count(lease()));
		assertThat(crashes.isTooMany(second)).isFalse();
		assertThat(crashes.isTooMany(crashes.count(second))).isTrue();
	}

	@Test
	void withoutALimitNothingIsCounted() {
		CrashCount crashes = new CrashCount(0, LEASE);
		assertThat(crashes.count(lease()).crashes()).isZero();
		assertThat(crashes.isTooMany(lease().withCrashes(100))).isFalse();
	}

	@Test
	void aLeaseThatWasLostBecauseRedisWasAwaySaysNothingAboutItsServer() {
		CrashCount crashes = new CrashCount(3, LEASE);
		crashes.redisWasAway();
		assertThat(crashes.count(lease().withCrashes(1)).crashes()).isEqualTo(1);
	}

	private static EndedLease lease() {
		return new EndedLease(TestMessages.message("t1").build(), Instant.EPOCH, 0);
	}

}
