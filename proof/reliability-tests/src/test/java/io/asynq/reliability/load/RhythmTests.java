package io.asynq.reliability.load;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RhythmTests {

	private static final Rhythm RHYTHM = new Rhythm("id", "@every 5s", Duration.ofSeconds(5));

	@Test
	void firesAtMultiplesOfPeriod() {
		assertThat(RHYTHM.fires(Instant.ofEpochSecond(10), Instant.ofEpochSecond(21)))
			.containsExactly(Instant.ofEpochSecond(10), Instant.ofEpochSecond(15), Instant.ofEpochSecond(20));
		assertThat(RHYTHM.fires(Instant.ofEpochMilli(10_001), Instant.ofEpochMilli(14_999))).isEmpty();
		assertThat(RHYTHM.firesAt(Instant.ofEpochSecond(15))).isTrue();
		assertThat(RHYTHM.firesAt(Instant.ofEpochSecond(16))).isFalse();
		assertThat(RHYTHM.firesAt(Instant.ofEpochMilli(15_001))).isFalse();
	}

}
