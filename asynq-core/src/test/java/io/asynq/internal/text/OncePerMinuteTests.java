package io.asynq.internal.text;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OncePerMinuteTests {

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);

	private final OncePerMinute lines = new OncePerMinute(this.nanos::get);

	@Test
	void allowsOneLinePerSubjectAndMinute() {
		assertThat(this.lines.allows("a")).isTrue();
		assertThat(this.lines.allows("b")).isTrue();
		pass(Duration.ofSeconds(59));
		assertThat(this.lines.allows("a")).isFalse();
		pass(Duration.ofSeconds(1));
		assertThat(this.lines.allows("a")).isTrue();
		assertThat(this.lines.allows("a")).isFalse();
	}

	@Test
	void floodOfSubjectsGetsNoLinesBeyondThousand() {
		for (int i = 0; i < 1000; i++) {
			assertThat(this.lines.allows("type-" + i)).isTrue();
		}
		assertThat(this.lines.allows("one-more")).isFalse();
		pass(Duration.ofMinutes(1));
		assertThat(this.lines.allows("one-more")).isTrue();
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

}
