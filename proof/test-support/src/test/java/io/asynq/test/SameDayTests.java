package io.asynq.test;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SameDayTests {

	@Test
	void dayThatLastsLongEnoughBeginsAtOnce() {
		assertThat(SameDay.begin(new MutableClock(Instant.parse("2026-03-04T23:58:00Z"))))
			.isEqualTo(LocalDate.of(2026, 3, 4));
	}

	@Test
	void dayThatIsAboutToEndIsWaitedOut() {
		MutableClock clock = new MutableClock(Instant.parse("2026-03-04T23:59:00Z"));
		CompletableFuture<LocalDate> day = CompletableFuture.supplyAsync(() -> SameDay.begin(clock));
		clock.advance(Duration.ofMinutes(1));
		assertThat(day).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(LocalDate.of(2026, 3, 5));
	}

}
