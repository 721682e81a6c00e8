package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.internal.worker.LostAttempt.Beginning;
import io.asynq.server.TestMessages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CrashCountTests {

	private static final Duration LEASE = Duration.ofMinutes(10);

	private static final CrashRecord SUSPECT = CrashRecord.CLEAN.suspected();

	private final CrashCount crashes = new CrashCount(3, LEASE);

	@Test
	void firstCrashOfServerOnlyMakesTaskSuspect() {
		CrashRecord record = this.crashes.count(lease(CrashRecord.CLEAN, Beginning.UNKNOWN)).record();
		assertThat(record).isEqualTo(new CrashRecord(true, 0, List.of(), 0));
	}

	@Test
	void crashAfterHandlerStartedCountsWithServerAndTime() {
		CrashRecord record = this.crashes.count(lease(SUSPECT, Beginning.BEGUN)).record();
		assertThat(record.crashes()).isEqualTo(1);
		assertThat(record.deaths()).containsExactly("host:1 1970-01-01T00:00:00Z");
	}

	@Test
	void crashBeforeHandlerStartedDoesNotCount() {
		assertThat(this.crashes.count(lease(SUSPECT, Beginning.NOT_BEGUN)).record()).isEqualTo(SUSPECT);
		assertThat(this.crashes.count(lease(SUSPECT, Beginning.UNKNOWN)).record()).isEqualTo(SUSPECT);
	}

	@Test
	void taskThatAlwaysCrashesExceedsLimitOfThreeAtFourthCrash() {
		for (int limit = 1; limit <= 3; limit++) {
			CrashCount count = new CrashCount(limit, LEASE);
			CrashRecord record = count.count(lease(CrashRecord.CLEAN, Beginning.UNKNOWN)).record();
			for (int death = 2; death <= limit + 1; death++) {
				assertThat(count.isTooMany(record)).isFalse();
				record = count.count(lease(record, Beginning.BEGUN)).record();
			}
			assertThat(count.isTooMany(record)).isTrue();
		}
	}

	@Test
	void crashCountedByEarlierClaimCountsOnce() {
		LostAttempt counted = new LostAttempt(Beginning.BEGUN, "host:1", true);
		EndedLease lease = new EndedLease(TestMessages.message("t1").build(), Instant.EPOCH, Duration.ZERO,
				Duration.ZERO, counted, SUSPECT);
		assertThat(this.crashes.count(lease).record()).isEqualTo(SUSPECT);
	}

	@Test
	void withoutLimitNoTaskIsSuspect() {
		CrashCount unlimited = new CrashCount(0, LEASE);
		assertThat(unlimited.count(lease(CrashRecord.CLEAN, Beginning.BEGUN)).record()).isEqualTo(CrashRecord.CLEAN);
		assertThat(unlimited.isTooMany(new CrashRecord(true, 100, List.of(), 0))).isFalse();
	}

	@Test
	void leaseLostDuringOutageIsNoCrash() {
		this.crashes.redisWasAway();
		assertThat(this.crashes.count(lease(SUSPECT, Beginning.BEGUN)).record()).isEqualTo(SUSPECT);
		assertThat(this.crashes.count(lease(CrashRecord.CLEAN, Beginning.BEGUN)).record()).isEqualTo(CrashRecord.CLEAN);
	}

	@Test
	void reasonNamesServersAndTimesOfLatestCrashes() {
		CrashRecord record = SUSPECT;
		for (int i = 1; i <= 7; i++) {
			record = record.crashed("host:" + i, Instant.EPOCH.plusSeconds(i));
		}
		assertThat(this.crashes.reason(record)).isEqualTo("asynq: task took down 7 servers (asynq.server.max-crashes):"
				+ " host:3 1970-01-01T00:00:03Z, host:4 1970-01-01T00:00:04Z, host:5 1970-01-01T00:00:05Z,"
				+ " host:6 1970-01-01T00:00:06Z, host:7 1970-01-01T00:00:07Z");
		assertThat(SUSPECT.crashed("x".repeat(1000), Instant.EPOCH).deaths().get(0)).hasSizeLessThan(130);
	}

	private static EndedLease lease(CrashRecord record, Beginning beginning) {
		return new EndedLease(TestMessages.message("t1").build(), Instant.EPOCH, Duration.ZERO, Duration.ZERO,
				new LostAttempt(beginning, "host:1", false), record);
	}

}
