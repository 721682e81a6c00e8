package io.asynq.schedule;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOption;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.schedule.SchedulerEntrySnapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * How periodic tasks are added to and removed from a scheduler, and how it starts and
 * stops.
 */
class AsynqSchedulerTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final PeriodicTaskDefinition MINUTELY = PeriodicTaskDefinition
		.of("* * * * *", Task.of("report", "{}"))
		.id("m");

	@Test
	void entryUnregisteredDuringFireLeavesNoHistory() {
		AtomicReference<AsynqScheduler> scheduler = new AtomicReference<>();
		SchedulerListener onlyOnce = new SchedulerListener() {

			@Override
			public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
				scheduler.get().unregister(entryId);
			}

		};
		try (SchedulerFixture fixture = new SchedulerFixture(onlyOnce)) {
			scheduler.set(fixture.scheduler);
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			fixture.scheduler.stop();
			assertThat(fixture.broker.scheduling.history).isEmpty();
		}
	}

	@Test
	void startDuringStopFollowsIt() throws InterruptedException {
		CountDownLatch firing = new CountDownLatch(1);
		CountDownLatch slow = new CountDownLatch(1);
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(PeriodicTaskDefinition.calling("* * * * *", "slow", () -> {
				firing.countDown();
				slow.await();
				return null;
			}).id("s"));
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			assertThat(firing.await(60, TimeUnit.SECONDS)).isTrue();
			Thread stop = new Thread(fixture.scheduler::stop);
			stop.start();
			await().until(() -> !fixture.scheduler.isRunning());
			Thread start = new Thread(fixture.scheduler::start);
			start.start();
			await().until(() -> start.getState() == Thread.State.BLOCKED || !start.isAlive());
			slow.countDown();
			stop.join();
			start.join();
			assertThat(fixture.scheduler.isRunning()).isTrue();
			assertThat(fixture.scheduler.entries()).singleElement()
				.satisfies((entry) -> assertThat(entry.next()).isNotNull());
			await().until(() -> !fixture.broker.scheduling.entries.isEmpty());
		}
	}

	@Test
	void publishesEntriesWhileRunning() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.start();
			fixture.scheduler.register(PeriodicTaskDefinition.of("0 3 * * *", Task.of("report", "{}"))
				.id("berlin")
				.zone("Europe/Berlin")
				.options((options) -> options.queue("low").maxRetry(3)));
			await().until(() -> !fixture.broker.scheduling.entries.isEmpty());
			SchedulerEntrySnapshot entry = fixture.broker.scheduling.entries.get(0);
			assertThat(entry.spec()).isEqualTo("CRON_TZ=Europe/Berlin 0 3 * * *");
			assertThat(entry.options().values()).isEqualTo(Map.of(TaskOption.QUEUE, "low", TaskOption.MAX_RETRY, 3));
			assertThat(entry.next()).isEqualTo("2024-05-02T01:00:00Z");
			assertThat(entry.previous()).isNull();
			fixture.advance(Duration.ofHours(15).plusMinutes(1));
			await().until(() -> fixture.broker.scheduling.entries.get(0).previous() != null);
			fixture.scheduler.unregister("berlin");
			await().until(() -> fixture.broker.scheduling.entries.isEmpty());
			assertThat(fixture.scheduler.entries()).isEmpty();
		}
	}

	@Test
	void removesPublishedEntriesAndRestarts() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			for (int i = 1; i <= 2; i++) {
				fixture.scheduler.start();
				fixture.advance(MINUTE);
				int fires = i;
				await().until(() -> fixture.broker.scheduling.history.containsKey("m"));
				await().until(() -> fixture.told.size() == 2 * fires);
				fixture.scheduler.stop();
				assertThat(fixture.broker.scheduling.history).isEmpty();
				assertThat(fixture.broker.scheduling.entries).isEmpty();
				assertThat(fixture.scheduler.entries().get(0).next()).isNull();
				fixture.clock.advance(Duration.ofMinutes(5));
			}
		}
	}

	@Test
	void withdrawsEntriesBeforeDeletingHistories() {
		// Otherwise two that stop at once would each leave the history to the other
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY.id("removed"));
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			await().until(() -> fixture.broker.scheduling.entries.size() == 2);
			fixture.scheduler.unregister("removed");
			await().until(() -> !fixture.broker.scheduling.forgotten.isEmpty());
			assertThat(fixture.broker.scheduling.shownWhenForgotten).containsExactly("m");
			fixture.broker.scheduling.shownWhenForgotten.clear();
			fixture.scheduler.stop();
			assertThat(fixture.broker.scheduling.forgotten).containsExactly("removed", "m");
			assertThat(fixture.broker.scheduling.shownWhenForgotten).isEmpty();
		}
	}

	@Test
	void entryRemovedJustBeforeStopLeavesNoHistory() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.scheduler.unregister("m");
			fixture.scheduler.stop();
			assertThat(fixture.broker.scheduling.forgotten).containsExactly("m");
		}
	}

	@Test
	void keepsJvmAliveWhileItHasEntries() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> thread.getName().equals("asynq-scheduler"))
				.isNotEmpty()
				.noneMatch(Thread::isDaemon);
		}
	}

	@Test
	void stopWithoutEntriesDoesNotCallRedis() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.start();
			fixture.scheduler.stop();
			assertThat(fixture.broker.scheduling.removals).hasValue(0);
		}
	}

	@Test
	void duplicateIdIsRejected() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			assertThatExceptionOfType(DuplicatePeriodicTaskException.class)
				.isThrownBy(
						() -> fixture.scheduler.register(PeriodicTaskDefinition.of("@daily", Task.of("x", "")).id("m")))
				.withMessageContainingAll("'m'", "* * * * *", "@daily", "another id");
		}
	}

	@Test
	void defaultIdDoesNotDependOnPayload() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			String id = fixture.scheduler.register(PeriodicTaskDefinition.of("@daily", Task.of("x", "1")));
			assertThat(id).matches("x@default-[0-9a-f]{8}");
			assertThatExceptionOfType(DuplicatePeriodicTaskException.class)
				.isThrownBy(() -> fixture.scheduler.register(PeriodicTaskDefinition.of("@daily", Task.of("x", "2"))));
			assertThat(fixture.scheduler
				.register(PeriodicTaskDefinition.of("@daily", Task.of("x", "2")).zone("Asia/Tokyo")))
				.matches("x@default-[0-9a-f]{8}")
				.isNotEqualTo(id);
		}
	}

	@Test
	void zoneIsPublishedAsGoReadsIt() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			PeriodicTaskDefinition daily = PeriodicTaskDefinition.of("@daily", Task.of("x", "1"));
			fixture.scheduler.register(daily.zone(ZoneOffset.UTC));
			fixture.scheduler.register(daily.zone(ZoneId.of("Asia/Tokyo")));
			assertThat(fixture.scheduler.entries()).extracting(PeriodicTaskInfo::spec)
				.containsExactly("CRON_TZ=UTC @daily", "CRON_TZ=Asia/Tokyo @daily");
		}
	}

	@Test
	void unknownEntryCannotBeRemoved() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			assertThatExceptionOfType(PeriodicTaskNotFoundException.class)
				.isThrownBy(() -> fixture.scheduler.unregister("x"))
				.withMessageContainingAll("'x'", "[m]");
		}
	}

	@Test
	void pingsRedis() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.ping();
			assertThat(fixture.broker.calls).hasValue(1);
		}
	}

	@Test
	void startsLastAndStopsFirst() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			assertThat(fixture.scheduler.getPhase()).isEqualTo(ServerPhase.SCHEDULER.value());
			assertThat(fixture.scheduler.isAutoStartup()).isTrue();
		}
	}

	@Test
	void listsEntriesInOrder() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			List.of("c", "a", "b").forEach((id) -> fixture.scheduler.register(MINUTELY.id(id)));
			assertThat(fixture.scheduler.entries()).extracting(PeriodicTaskInfo::id).containsExactly("c", "a", "b");
		}
	}

}
