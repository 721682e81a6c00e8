package io.asynq.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.Task;
import io.asynq.internal.schedule.Fire;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class MissedFiresTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final PeriodicTaskDefinition MINUTELY = PeriodicTaskDefinition
		.of("* * * * *", Task.of("report", "{}"))
		.id("m");

	@Test
	void missedFiresAreDroppedWithoutCatchUp() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.broker.scheduling.lastFires.put("m", SchedulerFixture.START.minus(Duration.ofMinutes(10)));
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			assertThat(fixture.broker.scheduling.fires).singleElement()
				.matches((fire) -> !fire.missed() && !fire.remembered());
		}
	}

	@Test
	void catchesUpOnceWithLatestMissedFire() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.broker.scheduling.lastFires.put("m", SchedulerFixture.START.minus(Duration.ofMinutes(10)));
			fixture.scheduler.register(MINUTELY.missedFires(MissedFirePolicy.ONCE));
			fixture.scheduler.start();
			fixture.awaitTold("before m report", "after m default");
			Fire fire = fixture.broker.scheduling.fires.get(0);
			assertThat(fire.missed()).isTrue();
			assertThat(fire.remembered()).isTrue();
			assertThat(fire.at()).isEqualTo("2024-05-01T10:00:00Z");
		}
	}

	@Test
	void latestFireAfterLongPauseRepresentsAllMissedOnes() {
		// As for those restored by a start: otherwise both would fire for the same pause
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY.missedFires(MissedFirePolicy.ONCE));
			fixture.scheduler.start();
			fixture.advance(Duration.ofMinutes(10));
			fixture.awaitTold("before m report", "after m default");
			assertThat(fixture.broker.scheduling.fires).extracting(Fire::at)
				.containsExactly(Instant.parse("2024-05-01T10:10:00Z"));
		}
	}

	@Test
	void firstStartHasMissedNothing() {
		try (SchedulerFixture fixture = new SchedulerFixture((options) -> options.missedFires(MissedFirePolicy.ONCE))) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			await().until(() -> fixture.broker.scheduling.lastFires.containsKey("m"));
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			assertThat(fixture.broker.scheduling.fires).noneMatch(Fire::missed);
		}
	}

	@Test
	void skippedFireIsNotMissed() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			AtomicInteger calls = new AtomicInteger();
			fixture.scheduler.register(nothing(calls));
			fixture.scheduler.start();
			await().until(() -> fixture.broker.scheduling.questions.get() == 1);
			fixture.advance(MINUTE);
			await().until(() -> calls.get() == 1);
			fixture.scheduler.stop();
			fixture.clock.advance(Duration.ofSeconds(30));
			fixture.scheduler.start();
			await().until(() -> fixture.broker.scheduling.questions.get() == 2);
			// Waits for calls in progress
			fixture.scheduler.stop();
			assertThat(calls).hasValue(1);
		}
	}

	@Test
	void skippedMissedFiresAreCaughtUpOnce() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.broker.scheduling.lastFires.put("m", SchedulerFixture.START.minus(Duration.ofMinutes(10)));
			AtomicInteger calls = new AtomicInteger();
			fixture.scheduler.register(nothing(calls));
			for (int i = 1; i <= 2; i++) {
				int starts = i;
				fixture.scheduler.start();
				await().until(() -> fixture.broker.scheduling.questions.get() == starts);
				fixture.scheduler.stop();
				assertThat(calls).hasValue(1);
			}
		}
	}

	@Test
	void failedSkipIsRepeated() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			AtomicInteger calls = new AtomicInteger();
			fixture.scheduler.register(nothing(calls));
			fixture.scheduler.start();
			await().until(() -> fixture.broker.scheduling.questions.get() == 1);
			fixture.broker.scheduling.failure = Optional.of(new BrokerUnavailableException("away", null));
			fixture.advance(MINUTE);
			await().until(() -> fixture.broker.scheduling.passes.get() == 1);
			assertThat(calls).hasValue(1);
			fixture.broker.scheduling.failure = Optional.empty();
			await().until(() -> {
				fixture.scheduler.wake();
				return calls.get() == 2;
			});
			await().until(
					() -> Instant.parse("2024-05-01T10:01:00Z").equals(fixture.broker.scheduling.lastFires.get("m")));
		}
	}

	@Test
	void reregisteredEntryHasMissedNothing() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			register(fixture, "m");
			fixture.scheduler.unregister("m");
			await().until(() -> fixture.broker.scheduling.forgotten.contains("m"));
			fixture.scheduler.stop();
			assertThat(fixture.broker.scheduling.lastFires).isEmpty();
		}
	}

	@Test
	void entryUnregisteredJustBeforeStopIsForgottenAndOthersAreKept() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			register(fixture, "m", "stays", "elsewhere");
			fixture.broker.scheduling.elsewhere = Set.of("elsewhere");
			fixture.scheduler.unregister("m");
			fixture.scheduler.unregister("elsewhere");
			fixture.scheduler.stop();
			assertThat(fixture.broker.scheduling.lastFires).containsOnlyKeys("stays", "elsewhere");
		}
	}

	@Test
	void looksForMissedFiresAfterOutage() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.broker.scheduling.lastFires.put("m", SchedulerFixture.START.minus(Duration.ofMinutes(10)));
			fixture.broker.scheduling.failure = Optional.of(new BrokerUnavailableException("away", null));
			fixture.scheduler.register(MINUTELY.missedFires(MissedFirePolicy.ONCE));
			fixture.scheduler.start();
			await().until(() -> fixture.broker.scheduling.failures.get() > 0);
			fixture.broker.scheduling.failure = Optional.empty();
			fixture.awaitTold("before m report", "after m default");
		}
	}

	@Test
	@Tag("slow")
	void catchesUpFireThatRedisRefused() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY.missedFires(MissedFirePolicy.ONCE));
			fixture.scheduler.start();
			await().until(() -> fixture.broker.scheduling.lastFires.containsKey("m"));
			fixture.broker.answer = (request) -> Optional.of(new BrokerException("no", null));
			fixture.advance(MINUTE);
			await().until(() -> fixture.told.contains("after m BrokerException"));
			fixture.broker.answer = (request) -> Optional.empty();
			fixture.scheduler.wake();
			await().until(() -> fixture.told.contains("after m default"));
			List<Fire> fires = fixture.broker.scheduling.fires;
			assertThat(fires).extracting(Fire::at).containsOnly(Instant.parse("2024-05-01T10:01:00Z"));
			assertThat(fires.get(0).missed()).isFalse();
			assertThat(fires.get(fires.size() - 1).missed()).isTrue();
		}
	}

	private static void register(SchedulerFixture fixture, String... ids) {
		for (String id : ids) {
			fixture.scheduler.register(MINUTELY.id(id).missedFires(MissedFirePolicy.ONCE));
		}
		fixture.scheduler.start();
		await().until(() -> fixture.broker.scheduling.questions.get() == ids.length);
	}

	private static PeriodicTaskDefinition nothing(AtomicInteger calls) {
		return PeriodicTaskDefinition.calling("* * * * *", "report", () -> {
			calls.incrementAndGet();
			return null;
		}).id("m").missedFires(MissedFirePolicy.ONCE);
	}

}
