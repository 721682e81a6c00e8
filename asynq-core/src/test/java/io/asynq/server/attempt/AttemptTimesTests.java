package io.asynq.server.attempt;

import java.time.Instant;

import io.asynq.server.TestMessages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AttemptTimesTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.900Z");

	@Test
	void timeoutStartsAtSecondOfStart() {
		assertThat(deadline(60, 0)).isEqualTo("2026-01-01T00:01:00Z");
	}

	@Test
	void earlierOfTimeoutAndDeadlineApplies() {
		assertThat(deadline(60, NOW.getEpochSecond() + 30)).isEqualTo("2026-01-01T00:00:30Z");
		assertThat(deadline(60, NOW.getEpochSecond() + 90)).isEqualTo("2026-01-01T00:01:00Z");
		assertThat(deadline(0, NOW.getEpochSecond() + 90)).isEqualTo("2026-01-01T00:01:30Z");
	}

	@Test
	void defaultTimeoutIsThirtyMinutes() {
		assertThat(deadline(0, 0)).isEqualTo("2026-01-01T00:30:00Z");
	}

	@Test
	void extremeTimesDoNotOverflow() {
		assertThat(deadline(Long.MAX_VALUE, 0)).isAfter(NOW);
		assertThat(deadline(0, Long.MAX_VALUE)).isAfter(NOW);
		assertThat(deadline(-5, 0)).isBefore(NOW);
		assertThat(deadline(0, Long.MIN_VALUE)).isBefore(NOW);
	}

	private static Instant deadline(long timeout, long deadline) {
		return AttemptTimes
			.of(TestMessages.message("t1").timeoutSeconds(timeout).deadlineSeconds(deadline).build(), 0, NOW)
			.deadline();
	}

}
