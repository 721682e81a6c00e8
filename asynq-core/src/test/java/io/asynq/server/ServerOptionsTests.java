package io.asynq.server;

import java.time.Duration;
import java.util.Map;

import io.asynq.broker.GroupLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ServerOptionsTests {

	@Test
	void hasGosDefaults() {
		ServerOptions options = ServerOptions.builder().build();
		assertThat(options.concurrency()).isEqualTo(Runtime.getRuntime().availableProcessors());
		assertThat(options.queues().weights()).isEqualTo(Map.of("default", 1));
		assertThat(options.queues().strict()).isFalse();
		assertThat(options.taskCheckInterval()).isEqualTo(Duration.ofSeconds(1));
		assertThat(options.delayedTaskCheckInterval()).isEqualTo(Duration.ofSeconds(5));
		assertThat(options.shutdownTimeout()).isEqualTo(Duration.ofSeconds(8));
		assertThat(options.heartbeatInterval()).isEqualTo(Duration.ofSeconds(5));
		assertThat(options.healthCheckInterval()).isEqualTo(Duration.ofSeconds(15));
		assertThat(options.janitorInterval()).isEqualTo(Duration.ofSeconds(8));
		assertThat(options.janitorBatchSize()).isEqualTo(100);
		assertThat(options.groupLimits("any")).isEqualTo(new GroupLimits(Duration.ofMinutes(1), Duration.ZERO, 0));
	}

	@Test
	void recoversSoonerThanGo() {
		ServerOptions options = ServerOptions.builder().build();
		assertThat(options.recoverInterval()).isEqualTo(Duration.ofSeconds(5));
		assertThat(options.recoverGrace()).isEqualTo(Duration.ofSeconds(30));
		assertThat(options.maxCrashes()).isEqualTo(3);
	}

	@Test
	void refusesALeaseThatItCouldNotKeep() {
		ServerOptions options = ServerOptions.builder().heartbeatInterval(Duration.ofMillis(1100)).build();
		for (long millis : new long[] { 0, 900, 2000, 3000, 4500 }) {
			assertThatIllegalArgumentException().isThrownBy(() -> options.requireLease(Duration.ofMillis(millis)))
				.withMessageContainingAll("lease-duration", "heartbeat-interval is PT1.1S", "4s or more");
		}
		assertThatNoException().isThrownBy(() -> options.requireLease(Duration.ofSeconds(4)));
	}

}
