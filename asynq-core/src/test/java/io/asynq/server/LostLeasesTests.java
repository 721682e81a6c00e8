package io.asynq.server;

import java.time.Duration;
import java.time.Instant;

import io.asynq.broker.EndedLease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LostLeasesTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final LostLeases leases = new LostLeases(Duration.ofSeconds(5), Duration.ofSeconds(30));

	private long passed;

	@Test
	void aLeaseThatEndsBetweenTwoPassesIsLostAtOnceWhenNobodyListsItsTask() {
		pass();
		assertThat(looksLost(endedAt(3), false, 5)).isTrue();
	}

	@Test
	void aLeaseThatHadEndedBeforeAnybodyLookedIsLostWhenItHasNotMovedSince() {
		assertThat(looksLost(endedAt(-60), false, 0)).isFalse();
		assertThat(looksLost(endedAt(-60), false, 4)).isFalse();
		assertThat(looksLost(endedAt(-60), false, 5)).isTrue();
	}

	@Test
	void aLeaseMadeByAClockFarBehindIsNotLostAsLongAsItMoves() {
		pass();
		for (int second = 5; second < 120; second += 5) {
			assertThat(looksLost(endedAt(second - 60), false, second)).isFalse();
		}
		assertThat(looksLost(endedAt(115 - 60), false, 120)).isTrue();
	}

	@Test
	void aTaskThatALiveServerListsIsLostAfterTheGrace() {
		pass();
		assertThat(looksLost(endedAt(3), true, 5)).isFalse();
		assertThat(looksLost(endedAt(3), true, 34)).isFalse();
		assertThat(looksLost(endedAt(3), true, 35)).isTrue();
	}

	@Test
	void aTaskThatIsListedNoMoreIsLostWhenItsLeaseHasNotMovedSince() {
		pass();
		assertThat(looksLost(endedAt(3), true, 5)).isFalse();
		assertThat(looksLost(endedAt(3), false, 10)).isTrue();
	}

	@Test
	void whatWasNotThereAtThePassBeforeIsSeenForTheFirstTime() {
		assertThat(looksLost(endedAt(-60), false, 0)).isFalse();
		this.passed = 5;
		pass();
		assertThat(looksLost(endedAt(-60), false, 10)).isFalse();
	}

	private void pass() {
		this.leases.begin();
		this.leases.end(START.plusSeconds(this.passed));
	}

	private boolean looksLost(EndedLease lease, boolean listed, int second) {
		this.passed = second;
		this.leases.begin();
		boolean lost = this.leases.isLost(lease, listed, Duration.ofSeconds(second).toNanos());
		this.leases.end(START.plusSeconds(second));
		return lost;
	}

	private static EndedLease endedAt(int second) {
		return new EndedLease(TestMessages.message("t1").build(), START.plusSeconds(second), 0);
	}

}
