package io.asynq.server;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.asynq.group.GroupLimits;
import io.asynq.schedule.SchedulerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ServerOptionsTests {

	@Test
	void hasDefaultsOfGo() {
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
	void recoversEarlierThanGo() {
		ServerOptions options = ServerOptions.builder().build();
		assertThat(options.recoverInterval()).isEqualTo(Duration.ofSeconds(5));
		assertThat(options.recoverGrace()).isEqualTo(Duration.ofSeconds(30));
		assertThat(options.maxCrashes()).isEqualTo(3);
	}

	@ParameterizedTest
	@MethodSource("times")
	void rejectsDurationsBeyondNanosecondRange(String property, Consumer<Duration> setter) {
		assertThatNoException().isThrownBy(() -> setter.accept(Duration.ofDays(36_500)));
		for (Duration tooLong : new Duration[] { Duration.ofDays(36_501), Duration.ofDays(300 * 365),
				Duration.ofSeconds(Long.MAX_VALUE) }) {
			assertThatIllegalArgumentException().isThrownBy(() -> setter.accept(tooLong))
				.withMessageContainingAll(property, "100 years");
		}
	}

	static Stream<Arguments> times() {
		return Stream.of(time("task-check-interval", (time) -> builder().taskCheckInterval(time)),
				time("delayed-task-check-interval", (time) -> builder().delayedTaskCheckInterval(time)),
				time("shutdown-timeout", (time) -> builder().shutdownTimeout(time)),
				time("heartbeat-interval", (time) -> builder().heartbeatInterval(time)),
				time("recover-interval", (time) -> builder().recoverInterval(time)),
				time("recover-grace", (time) -> builder().recoverGrace(time)),
				time("janitor-interval", (time) -> builder().janitorInterval(time)),
				time("health-check-interval", (time) -> builder().healthCheckInterval(time)),
				time("stuck-handler-timeout", (time) -> builder().stuckHandlerTimeout(time)),
				time("lease-duration", (time) -> builder().build().requireLease(time)),
				time("group-grace-period", (time) -> GroupLimits.defaults().withGracePeriod(time)),
				time("group-max-delay", (time) -> GroupLimits.defaults().withMaxDelay(time)),
				time("heartbeat-interval", (time) -> SchedulerOptions.builder().heartbeatInterval(time)),
				time("sync-interval", (time) -> SchedulerOptions.builder().syncInterval(time)));
	}

	private static Arguments time(String property, Consumer<Duration> setter) {
		return Arguments.of(property, setter);
	}

	private static ServerOptions.Builder builder() {
		return ServerOptions.builder();
	}

	@Test
	void rejectsLeaseTooShortForHeartbeats() {
		ServerOptions options = ServerOptions.builder().heartbeatInterval(Duration.ofMillis(1100)).build();
		for (long millis : new long[] { 0, 900, 2000, 3000, 4500 }) {
			assertThatIllegalArgumentException().isThrownBy(() -> options.requireLease(Duration.ofMillis(millis)))
				.withMessageContainingAll("lease-duration", "heartbeat-interval is PT1.1S", "4s or more");
		}
		assertThatNoException().isThrownBy(() -> options.requireLease(Duration.ofSeconds(4)));
	}

	@Test
	void queuesKeepTheOrderInWhichTheyWereConfigured() {
		String[] names = { "reports", "critical", "low", "default", "mail", "images" };
		ServerOptions.Builder builder = ServerOptions.builder();
		for (String name : names) {
			builder.queue(name, 1);
		}
		assertThat(builder.build().queues().weights().keySet()).containsExactly(names);
	}

	@Test
	void fetchesAheadUnlessPrioritiesAreStrict() {
		assertThat(ServerOptions.builder().build().fetchAhead()).isTrue();
		assertThat(ServerOptions.builder().strictPriority(true).build().fetchAhead()).isFalse();
		assertThat(ServerOptions.builder().fetchAhead(false).build().fetchAhead()).isFalse();
		ServerOptions.Builder both = ServerOptions.builder().strictPriority(true).fetchAhead(true);
		assertThatIllegalArgumentException().isThrownBy(both::build)
			.withMessageContaining("fetch-ahead and strict-priority are both true");
	}

}
