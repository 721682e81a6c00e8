package io.asynq.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.Task;
import io.asynq.internal.schedule.Fire;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * When periodic tasks fire, and what a fire does.
 */
class FiresTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final PeriodicTaskDefinition MINUTELY = PeriodicTaskDefinition
		.of("* * * * *", Task.of("report", "{}"))
		.id("m");

	@Test
	void firesOnTimeAndNotifiesListenersInOrder() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY.options((options) -> options.queue("low")));
			fixture.scheduler.start();
			fixture.advance(Duration.ofSeconds(59));
			fixture.advance(Duration.ofSeconds(1));
			fixture.awaitTold("before m report", "after m low");
			assertThat(fixture.broker.requests).singleElement()
				.satisfies((request) -> assertThat(request.message().queue()).isEqualTo("low"));
			await().untilAsserted(() -> assertThat(fixture.broker.scheduling.history.get("m"))
				.containsExactly(fixture.broker.lastRequest().message().id()));
		}
	}

	@Test
	void fireIsIdentifiedByPlannedTime() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(Duration.ofSeconds(83));
			fixture.awaitTold("before m report", "after m default");
			assertThat(fixture.broker.scheduling.fires).extracting(Fire::at)
				.containsExactly(Instant.parse("2024-05-01T10:01:00Z"));
		}
	}

	@Test
	void overdueFiresAreMergedAndNextIsOnTime() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(Duration.ofMinutes(10));
			fixture.advance(MINUTE);
			await().until(() -> fixture.told.size() == 4);
			assertThat(fixture.broker.scheduling.fires).extracting(Fire::at)
				.containsExactlyInAnyOrder(Instant.parse("2024-05-01T10:01:00Z"),
						Instant.parse("2024-05-01T10:11:00Z"));
		}
	}

	@Test
	void fireHalfADayLateIsSkipped() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(Duration.ofHours(13));
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			assertThat(fixture.broker.scheduling.fires).extracting(Fire::at)
				.containsExactly(Instant.parse("2024-05-01T23:01:00Z"));
		}
	}

	@Test
	void clockSetBackLosesNoFires() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(Duration.ofSeconds(1));
			fixture.clock.set(SchedulerFixture.START.minus(Duration.ofHours(1)));
			await().until(() -> {
				fixture.scheduler.wake();
				return Instant.parse("2024-05-01T09:01:00Z").equals(fixture.scheduler.entries().get(0).next());
			});
		}
	}

	@Test
	void withoutClusterSafetyEnqueuesAsGo() {
		try (SchedulerFixture fixture = new SchedulerFixture((options) -> options.clusterSafe(false))) {
			fixture.scheduler.register(PeriodicTaskDefinition.of("@every 5m", Task.of("report", "{}")).id("e"));
			fixture.scheduler.start();
			assertThat(fixture.scheduler.entries().get(0).next()).isEqualTo("2024-05-01T10:05:00Z");
			fixture.advance(Duration.ofSeconds(301));
			fixture.awaitTold("before e report", "after e default");
			assertThat(fixture.broker.scheduling.fires).isEmpty();
			assertThat(fixture.scheduler.entries().get(0).next()).isEqualTo("2024-05-01T10:10:01Z");
		}
	}

	@Test
	void payloadSupplierIsCalledPerFireAndNullSkipsIt() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			AtomicInteger calls = new AtomicInteger();
			fixture.scheduler
				.register(PeriodicTaskDefinition.calling("* * * * *", "report", () -> switch (calls.incrementAndGet()) {
					case 1 -> "one";
					case 2 -> null;
					case 3 -> throw new IllegalStateException("not now");
					default -> Task.of("other", "four");
				}).id("c"));
			fixture.scheduler.start();
			int[] told = { 2, 2, 3, 5 };
			for (int i = 1; i <= 4; i++) {
				fixture.advance(MINUTE);
				int done = i;
				// Fires overtake each other
				await().until(() -> calls.get() == done && fixture.told.size() == told[done - 1]);
			}
			fixture.awaitTold("before c report", "after c default", "after c IllegalStateException", "before c other",
					"after c default");
			assertThat(fixture.broker.requests.get(0).message().payload()).isEqualTo("one".getBytes());
		}
	}

}
