package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;

import io.asynq.server.TestMessages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LostLeasesTests {

	private static final long START = 1_000_000_000_000L;

	private final LostLeases leases = new LostLeases(Duration.ofSeconds(10), Duration.ofSeconds(30));

	@Test
	void stalledLeaseIsLostWhenItExpires() {
		assertThat(untilLost(lease(-5, 15), false, 0)).hasSeconds(5);
		assertThat(untilLost(lease(0, 20), false, 0)).isZero();
	}

	@Test
	void leaseExpiredBeforeFirstObservationIsLostAfterStandingStill() {
		assertThat(untilLost(lease(60, 0), false, 0)).hasSeconds(10);
		assertThat(untilLost(lease(60, 9), false, 0)).hasSeconds(1);
		assertThat(untilLost(lease(60, 10), false, 0)).isZero();
	}

	@Test
	void movingLeaseIsNotLostHoweverLongExpired() {
		for (int ended = 0; ended < 7200; ended += 60) {
			assertThat(untilLost(lease(ended, 5), false, 0)).isPositive();
		}
	}

	@Test
	void taskListedByLiveServerIsLostAfterGrace() {
		assertThat(untilLost(lease(-3, 17), true, 0)).hasSeconds(33);
		assertThat(untilLost(lease(29, 49), true, 0)).hasSeconds(1);
		assertThat(untilLost(lease(30, 50), true, 0)).isZero();
		assertThat(untilLost(lease(300, 29), true, 0)).hasSeconds(1);
	}

	@Test
	void observationsOfOthersAreIgnoredWhileRedisIsInDoubt() {
		this.leases.doubt(START);
		assertThat(untilLost(lease(60, 60), false, 0)).hasSeconds(10);
		assertThat(untilLost(lease(60, 69), false, 9)).hasSeconds(1);
		assertThat(untilLost(lease(60, 70), false, 10)).isZero();
		assertThat(untilLost(lease(60, 70), true, 10)).hasSeconds(20);
	}

	private Duration untilLost(EndedLease lease, boolean listed, int second) {
		Duration until = this.leases.untilLost(lease, listed, START + Duration.ofSeconds(second).toNanos());
		return until.isNegative() ? Duration.ZERO : until;
	}

	private static EndedLease lease(int sinceEnd, int unmoved) {
		return new EndedLease(TestMessages.message("t1").build(), Instant.EPOCH, Duration.ofSeconds(sinceEnd),
				Duration.ofSeconds(unmoved), LostAttempt.UNKNOWN, CrashRecord.CLEAN);
	}

}
