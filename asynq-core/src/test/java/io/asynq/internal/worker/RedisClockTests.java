package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RedisClockTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final LostLeases leases = new LostLeases(Duration.ZERO, Duration.ZERO);

	@Test
	void steadyClockDoesNotDepart() {
		assertThat(departs(0, 0)).isFalse();
		assertThat(departs(5_000, 5_000)).isFalse();
		assertThat(departs(10_900, 10_000)).isFalse();
		assertThat(departs(14_950, 15_000)).isFalse();
	}

	@Test
	void steppedClockDepartsOnce() {
		departs(0, 0);
		assertThat(departs(65_000, 5_000)).isTrue();
		assertThat(departs(70_000, 10_000)).isFalse();
		assertThat(departs(-3_600_000, 15_000)).isTrue();
		assertThat(departs(-3_595_000, 20_000)).isFalse();
	}

	@Test
	void slowAnswerIsNoDeparture() {
		assertThat(this.leases.isClockSet(START, 0, Duration.ofSeconds(20).toNanos())).isFalse();
		assertThat(this.leases.isClockSet(START.plusSeconds(24), Duration.ofSeconds(21).toNanos(),
				Duration.ofSeconds(25).toNanos()))
			.isFalse();
		assertThat(this.leases.isClockSet(START.plusSeconds(32), Duration.ofSeconds(26).toNanos(),
				Duration.ofSeconds(26).toNanos()))
			.isTrue();
	}

	private boolean departs(int redisMillis, int ourMillis) {
		long nanos = Duration.ofMillis(ourMillis).toNanos();
		return this.leases.isClockSet(START.plusMillis(redisMillis), nanos, nanos);
	}

}
