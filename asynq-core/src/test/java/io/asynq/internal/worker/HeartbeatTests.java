package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeartbeatTests {

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	private final AtomicLong nanos = new AtomicLong();

	private final Heartbeat heartbeat = new Heartbeat(this.nanos::get);

	@Test
	void isMissedWhenTwoIntervalsAreOver() {
		this.heartbeat.start();
		this.heartbeat.written();
		pass(Duration.ofSeconds(10));
		assertThat(this.heartbeat.isMissed(INTERVAL)).isFalse();
		pass(Duration.ofNanos(1));
		assertThat(this.heartbeat.isMissed(INTERVAL)).isTrue();
		this.heartbeat.written();
		assertThat(this.heartbeat.isMissed(INTERVAL)).isFalse();
	}

	@Test
	void isMissedIfTheFirstEntryIsNotWritten() {
		pass(Duration.ofHours(1));
		this.heartbeat.start();
		assertThat(this.heartbeat.isMissed(INTERVAL)).isFalse();
		pass(Duration.ofSeconds(11));
		assertThat(this.heartbeat.isMissed(INTERVAL)).isTrue();
	}

	@Test
	void frequentHeartbeatsMayBeThreeSecondsLate() {
		this.heartbeat.written();
		pass(Duration.ofSeconds(3));
		assertThat(this.heartbeat.isMissed(Duration.ofMillis(200))).isFalse();
		pass(Duration.ofNanos(1));
		assertThat(this.heartbeat.isMissed(Duration.ofMillis(200))).isTrue();
	}

	@Test
	void tellsWhenTheEntryWasWrittenSinceTheStart() {
		Instant now = Instant.parse("2030-01-01T00:00:10Z");
		this.heartbeat.start();
		assertThat(this.heartbeat.last(now)).isNull();
		this.heartbeat.written();
		pass(Duration.ofSeconds(4));
		assertThat(this.heartbeat.last(now)).isEqualTo("2030-01-01T00:00:06Z");
		this.heartbeat.start();
		assertThat(this.heartbeat.last(now)).isNull();
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

}
