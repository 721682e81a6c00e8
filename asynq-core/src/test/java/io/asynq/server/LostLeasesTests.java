package io.asynq.server;

import java.time.Duration;
import java.time.Instant;

import io.asynq.broker.EndedLease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LostLeasesTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final LostLeases leases = new LostLeases(Duration.ofSeconds(10), Duration.ofSeconds(30));

	/** How far the clock of this server is ahead of that of the others, s. */
	private int ahead;

	@Test
	void aLeaseThatDoesNotMoveIsLostAsSoonAsItEnds() {
		assertThat(looksLost(endsAt(15), false, 0)).isFalse();
		assertThat(looksLost(endsAt(15), false, 10)).isFalse();
		assertThat(looksLost(endsAt(15), false, 15)).isTrue();
	}

	@Test
	void aLeaseThatHadEndedBeforeAnybodyLookedIsLostWhenItHasNotMovedForAWhile() {
		assertThat(looksLost(endsAt(-60), false, 0)).isFalse();
		assertThat(looksLost(endsAt(-60), false, 9)).isFalse();
		assertThat(looksLost(endsAt(-60), false, 10)).isTrue();
	}

	@Test
	void whateverOneClockIsAheadOfAnotherALeaseThatMovesIsNotLost() {
		for (this.ahead = 0; this.ahead < 120; this.ahead++) {
			for (int second = 0; second < 60; second += 5) {
				assertThat(looksLost(endsAt(second + 30), false, second)).as("%d s ahead", this.ahead).isFalse();
				assertThat(looksLost(endsAt(second + 30), false, second + 4)).as("%d s ahead", this.ahead).isFalse();
			}
			this.leases.forget();
		}
	}

	@Test
	void aTaskThatALiveServerListsIsLostAfterTheGrace() {
		assertThat(looksLost(endsAt(3), true, 0)).isFalse();
		assertThat(looksLost(endsAt(3), true, 32)).isFalse();
		assertThat(looksLost(endsAt(3), true, 33)).isTrue();
	}

	@Test
	void theGraceIsNoShorterBecauseAClockIsAhead() {
		this.ahead = 300;
		assertThat(looksLost(endsAt(3), true, 0)).isFalse();
		assertThat(looksLost(endsAt(3), true, 29)).isFalse();
		assertThat(looksLost(endsAt(3), true, 30)).isTrue();
	}

	@Test
	void aTaskThatIsListedNoMoreIsLostWhenItsLeaseHasNotMovedForAWhile() {
		assertThat(looksLost(endsAt(3), true, 0)).isFalse();
		assertThat(looksLost(endsAt(3), false, 10)).isTrue();
	}

	@Test
	void whatWasNotThereAtThePassBeforeIsSeenForTheFirstTime() {
		assertThat(looksLost(endsAt(-60), false, 0)).isFalse();
		this.leases.begin();
		this.leases.end();
		assertThat(looksLost(endsAt(-60), false, 10)).isFalse();
	}

	@Test
	void afterRedisWasAwayEverythingIsSeenForTheFirstTime() {
		assertThat(looksLost(endsAt(-60), false, 0)).isFalse();
		this.leases.forget();
		assertThat(looksLost(endsAt(-60), false, 10)).isFalse();
		assertThat(looksLost(endsAt(-60), false, 20)).isTrue();
	}

	private boolean looksLost(EndedLease lease, boolean listed, int second) {
		this.leases.begin();
		boolean lost = this.leases.isLost(lease, listed, START.plusSeconds(second + this.ahead),
				Duration.ofSeconds(second).toNanos());
		this.leases.end();
		return lost;
	}

	private static EndedLease endsAt(int second) {
		return new EndedLease(TestMessages.message("t1").build(), START.plusSeconds(second), 0, false);
	}

}
