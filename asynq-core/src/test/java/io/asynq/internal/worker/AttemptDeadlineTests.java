package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;

import io.asynq.server.TestMessages;
import io.asynq.test.FakeCompleter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class AttemptDeadlineTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.900Z");

	@ParameterizedTest
	@CsvSource({ "1, 2026-01-01T00:00:00.900Z, 2026-01-01T00:00:01.900Z",
			"1, 2026-01-01T00:00:00.999999999Z, 2026-01-01T00:00:01.999999999Z",
			"60, 2026-01-01T00:00:00Z, 2026-01-01T00:01:00Z", "3, 2026-12-31T23:59:58.250Z, 2027-01-01T00:00:01.250Z",
			"0, 2026-01-01T00:00:00.900Z, 2026-01-01T00:30:00.900Z" })
	void everyAttemptHasItsFullTimeout(long timeout, Instant now, Instant deadline) {
		Attempt attempt = attempt(timeout, 0, now);
		assertThat(attempt.deadline()).isEqualTo(deadline);
		assertThat(attempt.remaining()).isBetween(Duration.between(now, deadline).minusSeconds(60),
				Duration.between(now, deadline));
	}

	@Test
	void earlierOfTimeoutAndDeadlineApplies() {
		assertThat(deadline(60, NOW.getEpochSecond() + 30)).isEqualTo("2026-01-01T00:00:30Z");
		assertThat(deadline(60, NOW.getEpochSecond() + 60)).isEqualTo("2026-01-01T00:01:00Z");
		assertThat(deadline(60, NOW.getEpochSecond() + 61)).isEqualTo("2026-01-01T00:01:00.900Z");
		assertThat(deadline(60, NOW.getEpochSecond() + 90)).isEqualTo("2026-01-01T00:01:00.900Z");
		assertThat(deadline(0, NOW.getEpochSecond() + 90)).isEqualTo("2026-01-01T00:01:30Z");
	}

	@Test
	void extremeTimesDoNotOverflow() {
		assertThat(deadline(Long.MAX_VALUE, 0)).isAfter(NOW);
		assertThat(deadline(0, Long.MAX_VALUE)).isAfter(NOW);
		assertThat(deadline(-5, 0)).isBefore(NOW);
		assertThat(deadline(0, Long.MIN_VALUE)).isBefore(NOW);
	}

	private static Instant deadline(long timeout, long deadline) {
		return attempt(timeout, deadline, NOW).deadline();
	}

	private static Attempt attempt(long timeout, long deadline, Instant now) {
		return new Attempt(
				TestMessages
					.leased(TestMessages.message("t1").timeoutSeconds(timeout).deadlineSeconds(deadline).build()),
				0, now, new FakeCompleter()::writeResult);
	}

}
