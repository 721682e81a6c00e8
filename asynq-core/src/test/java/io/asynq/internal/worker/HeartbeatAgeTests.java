package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.server.ServerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class HeartbeatAgeTests {

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

	private final Heartbeat heartbeat = new Heartbeat(this.now::get);

	@Test
	void countsFromStartUntilFirstHeartbeat() {
		pass(Duration.ofSeconds(9));
		this.heartbeat.start();
		pass(Duration.ofSeconds(5));
		assertThat(this.heartbeat.age()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void countsFromLastHeartbeat() {
		this.heartbeat.start();
		pass(Duration.ofSeconds(5));
		this.heartbeat.written();
		pass(Duration.ofSeconds(2));
		assertThat(this.heartbeat.age()).isEqualTo(Duration.ofSeconds(2));
	}

	@ParameterizedTest
	@EnumSource
	void isKnownWhileServerRuns(ServerState state) {
		ServerStatus status = new ServerStatus();
		status.set(state);
		boolean runs = state == ServerState.ACTIVE || state == ServerState.STOPPED;
		assertThat(status.sinceHeartbeat() != null).isEqualTo(runs);
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

}
