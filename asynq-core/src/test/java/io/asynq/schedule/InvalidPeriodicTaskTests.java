package io.asynq.schedule;

import java.time.Duration;
import java.util.stream.Stream;

import io.asynq.Task;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Invalid settings are reported with the periodic task, the value and the way out.
 */
class InvalidPeriodicTaskTests {

	private static final Task TASK = Task.of("report", "{}");

	static Stream<Arguments> mistakes() {
		return Stream.of(mistake(PeriodicTaskDefinition.of("61 * * * *", TASK), "field 'minute'", "'61'", "0-59"),
				mistake(PeriodicTaskDefinition.of("* 7-99 * * *", TASK), "field 'hour'", "'7-99'", "0-23"),
				mistake(PeriodicTaskDefinition.of("* * L * *", TASK), "field 'day of month'", "'L'", "1-31"),
				mistake(PeriodicTaskDefinition.of("* * * FOO *", TASK), "field 'month'", "'FOO'", "JAN-DEC"),
				mistake(PeriodicTaskDefinition.of("* * * * 7", TASK), "field 'day of week'", "'7'", "SUN-SAT"),
				mistake(PeriodicTaskDefinition.of("*/0 * * * *", TASK), "step of 0"),
				mistake(PeriodicTaskDefinition.of("0 0 3 * * *", TASK), "6 fields instead of 5"),
				mistake(PeriodicTaskDefinition.of("", TASK), "0 fields instead of 5"),
				mistake(PeriodicTaskDefinition.of("@fortnightly", TASK), "'@fortnightly' is not known", "@weekly"),
				mistake(PeriodicTaskDefinition.of("@every soon", TASK), "'soon' is no duration", "1h30m"),
				mistake(PeriodicTaskDefinition.of("CRON_TZ=Mars/Phobos * * * * *", TASK), "zone 'Mars/Phobos'",
						"Europe/Berlin"),
				mistake(PeriodicTaskDefinition.of("* * * * *", TASK).zone("Mars/Phobos"), "zone 'Mars/Phobos'",
						"Europe/Berlin"),
				mistake(PeriodicTaskDefinition.of("* * * * *", TASK).zone("+02:00"), "zone '+02:00'", "Etc/GMT-2"),
				mistake(PeriodicTaskDefinition.of("* * * * *", TASK).zone("UTC+2"), "zone 'UTC+2'", "Europe/Berlin"),
				mistake(PeriodicTaskDefinition.of("* * * * *", TASK).zone(""), "zone ''", "Europe/Berlin"),
				mistake(PeriodicTaskDefinition.of("TZ=UTC * * * * *", TASK).zone("UTC"), "two zones", "remove one"),
				mistake(PeriodicTaskDefinition.of("TZ=UTC", TASK), "nothing follows the zone 'UTC'"),
				mistake(PeriodicTaskDefinition.of("@daily", Task.of(" ", "{}")), "'type'", "not blank"),
				mistake(PeriodicTaskDefinition.of("@daily", TASK).options((options) -> options.queue(" ")), "'queue'"),
				mistake(PeriodicTaskDefinition.of("@daily", TASK)
					.options((options) -> options.timeout(Duration.ofMillis(1))), "'timeout'"),
				mistake(PeriodicTaskDefinition.of("@daily", TASK).id(" "), "id is blank"),
				mistake(PeriodicTaskDefinition.of("@daily", Task.of("report", "x".repeat(101))), "max-payload-size"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void namesTaskAndMistake(PeriodicTaskDefinition task, String[] parts) {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			assertThatExceptionOfType(InvalidPeriodicTaskException.class)
				.isThrownBy(() -> fixture.scheduler.register(task))
				.withMessageContaining("'" + task.spec() + "'")
				.withMessageContainingAll(parts);
			assertThat(fixture.scheduler.entries()).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 3 30 2 *", "0 3 31 4 *", "0 0 31 2,4,6,9,11 *", "* * 30-31 FEB ?", "*/5 * 31 4-6/2,9 *",
			"CRON_TZ=Asia/Tokyo 0 0 31 6 *", "0 0 , * *", "0 0 1 , *", ", * * * *" })
	void specThatNeverFiresIsRefused(String spec) {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			assertThatExceptionOfType(InvalidPeriodicTaskException.class)
				.isThrownBy(() -> fixture.scheduler.register(PeriodicTaskDefinition.of(spec, TASK)))
				.withMessageContainingAll("'" + spec + "'", "never fires", "correct the spec");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 0 29 2 *", "0 0 31 * *", "0 0 30 2 MON", "0 0 31 4,5 *", "0 0 29-31 2 *",
			"0 0 */31 2 *", "CRON_TZ=Europe/Berlin 30 2 31 3 *", "@yearly", "@every 876000h" })
	void specThatSeldomFiresIsAccepted(String spec) {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(PeriodicTaskDefinition.of(spec, TASK));
			assertThat(fixture.scheduler.entries()).hasSize(1);
		}
	}

	@Test
	void reportsAllMistakesOfTaskAtOnce() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			assertThatExceptionOfType(InvalidPeriodicTaskException.class).isThrownBy(
					() -> fixture.scheduler.register(PeriodicTaskDefinition.of("nonsense", Task.of("", "")).id("x")))
				.satisfies((ex) -> assertThat(ex.problems()).hasSize(2).allMatch((problem) -> problem.contains("'x'")));
		}
	}

	@Test
	void catchUpRequiresClusterSafety() {
		try (SchedulerFixture fixture = new SchedulerFixture((options) -> options.clusterSafe(false))) {
			assertThatExceptionOfType(InvalidPeriodicTaskException.class)
				.isThrownBy(() -> fixture.scheduler
					.register(PeriodicTaskDefinition.of("@daily", TASK).missedFires(MissedFirePolicy.ONCE)))
				.withMessageContainingAll("asynq.scheduler.cluster-safe=true", "SKIP");
		}
		assertThatIllegalArgumentException().isThrownBy(
				() -> new SchedulerFixture((options) -> options.clusterSafe(false).missedFires(MissedFirePolicy.ONCE)))
			.withMessageContaining("asynq.scheduler.cluster-safe=true");
	}

	@Test
	void intervalsBelowOneSecondAreRejected() {
		SchedulerOptions.Builder options = SchedulerOptions.builder();
		assertThatIllegalArgumentException().isThrownBy(() -> options.syncInterval(Duration.ofMillis(999)))
			.withMessageContainingAll("sync-interval", "PT0.999S");
		assertThatIllegalArgumentException().isThrownBy(() -> options.heartbeatInterval(Duration.ZERO))
			.withMessageContainingAll("heartbeat-interval", "PT0S");
		assertThatIllegalStateException().isThrownBy(options::build).withMessageContaining("clock");
	}

	private static Arguments mistake(PeriodicTaskDefinition task, String... parts) {
		return arguments(task, parts);
	}

}
