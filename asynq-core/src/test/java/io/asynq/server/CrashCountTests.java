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
		EndedLease second = crashes.count(lease(1));
		assertThat(second.crashes()).isEqualTo(2);
		assertThat(crashes.isTooMany(second)).isFalse();
		assertThat(crashes.isTooMany(crashes.count(lease(2)))).isTrue();
	}

	@Test
	void aCrashThatWasCountedByAClaimBeforeCountsOnce() {
		CrashCount crashes = new CrashCount(3, LEASE);
		EndedLease counted = crashes.count(lease(1));
		assertThat(crashes.count(counted).crashes()).isEqualTo(2);
	}

	@Test
	void withoutALimitNothingIsCounted() {
		CrashCount crashes = new CrashCount(0, LEASE);
		assertThat(crashes.count(lease(0)).crashes()).isZero();
		assertThat(crashes.isTooMany(lease(100))).isFalse();
	}

	@Test
	void aLeaseThatWasLostBecauseRedisWasAwaySaysNothingAboutItsServer() {
		CrashCount crashes = new CrashCount(3, LEASE);
		crashes.redisWasAway();
		assertThat(crashes.count(lease(1)).crashes()).isEqualTo(1);
	}

	private static EndedLease lease(int crashes) {
		return new EndedLease(TestMessages.message("t1").build(), Instant.EPOCH, crashes, false);
	}

}
