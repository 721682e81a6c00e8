package io.asynq.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.broker.EnqueueResult;
import io.asynq.broker.EnqueueStatus;
import io.asynq.broker.Fire;
import io.asynq.broker.SchedulerEntrySnapshot;
import io.asynq.lifecycle.ServerPhase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class AsynqSchedulerTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final PeriodicTask MINUTELY = PeriodicTask.of("* * * * *", Task.of("report", "{}")).id("m");

	@Test
	void firesAtItsTimeAndTellsListenersInOrder() {
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
	void aFireIsKnownByTheTimeItWasToBeAtNotByWhenItIsCome() {
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
	void manyFiresThatAreDueAtOnceAreOneAndTheNextComesAtItsTime() {
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
	void aFireThatIsHalfADayLateIsLeftOut() {
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
	void whatIsUnregisteredWhileItFiresLeavesNoHistory() {
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
	void aListenerThatThrowsChangesNothing() {
		SchedulerListener broken = new SchedulerListener() {

			@Override
			public void beforeEnqueue(String entryId, Task task, TaskOptions options) {
				throw new IllegalStateException("before");
			}

			@Override
			public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
				throw new AssertionError("after");
			}

		};
		try (SchedulerFixture fixture = new SchedulerFixture(broken)) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default", "before m report", "after m default");
		}
	}

	@Test
	void whatRedisRefusesIsToldAndTheNextFireComes() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.broker.answer = (request) -> EnqueueResult.unknown(new BrokerException("no", null));
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m BrokerException");
			assertThat(fixture.broker.scheduling.history).isEmpty();
			fixture.broker.answer = (request) -> EnqueueResult.of(EnqueueStatus.DUPLICATE);
			fixture.advance(MINUTE);
			await().until(() -> fixture.told.contains("after m DuplicateTaskException"));
			fixture.broker.answer = (request) -> EnqueueResult.of(EnqueueStatus.ENQUEUED);
			fixture.advance(MINUTE);
			await().until(() -> fixture.told.contains("after m default"));
		}
	}

	static Stream<BrokerException> whileRedisFailsOver() {
		return Stream.of(new BrokerUnavailableException("away", null),
				new BrokerException("LOADING Redis is loading the dataset in memory", null),
				new BrokerException("READONLY You can't write against a read only replica.", null));
	}

	@ParameterizedTest
	@MethodSource("whileRedisFailsOver")
	void asksAgainWithTheSameTaskUntilRedisAnswers(BrokerException error) {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			AtomicInteger lost = new AtomicInteger(2);
			fixture.broker.answer = (request) -> (lost.getAndDecrement() > 0) ? EnqueueResult.unknown(error)
					: EnqueueResult.of(EnqueueStatus.ENQUEUED);
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			assertThat(fixture.broker.scheduling.fires).hasSize(3).containsOnly(fixture.broker.scheduling.fires.get(0));
			assertThat(fixture.broker.requests).extracting((request) -> request.message().id())
				.hasSize(3)
				.containsOnly(fixture.broker.lastRequest().message().id());
		}
	}

	@Test
	void withoutClusterSafetyItEnqueuesAsGoDoes() {
		try (SchedulerFixture fixture = new SchedulerFixture((options) -> options.clusterSafe(false))) {
			fixture.scheduler.register(PeriodicTask.of("@every 5m", Task.of("report", "{}")).id("e"));
			fixture.scheduler.start();
			assertThat(fixture.scheduler.entries().get(0).next()).isEqualTo("2024-05-01T10:05:00Z");
			fixture.advance(Duration.ofSeconds(301));
			fixture.awaitTold("before e report", "after e default");
			assertThat(fixture.broker.scheduling.fires).isEmpty();
			assertThat(fixture.scheduler.entries().get(0).next()).isEqualTo("2024-05-01T10:10:01Z");
		}
	}

	@Test
	void aPayloadIsAskedForAtEachFireAndNullMeansNothing() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			AtomicInteger calls = new AtomicInteger();
			fixture.scheduler
				.register(PeriodicTask.calling("* * * * *", "report", () -> switch (calls.incrementAndGet()) {
					case 1 -> "one";
					case 2 -> null;
					case 3 -> throw new IllegalStateException("not now");
					default -> Task.of("other", "four");
				}).id("c"));
			fixture.scheduler.start();
			for (int i = 1; i <= 4; i++) {
				fixture.advance(MINUTE);
				int done = i;
				await().until(() -> calls.get() == done);
			}
			fixture.awaitTold("before c report", "after c default", "after c IllegalStateException", "before c other",
					"after c default");
			assertThat(fixture.broker.requests.get(0).message().payload()).isEqualTo("one".getBytes());
		}
	}

	@Test
	void aSlowFireHoldsUpNeitherTheOthersNorItself() throws InterruptedException {
		CountDownLatch slow = new CountDownLatch(1);
		CountDownLatch overlapping = new CountDownLatch(2);
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(PeriodicTask.calling("* * * * *", "slow", () -> {
				overlapping.countDown();
				slow.await();
				return "x";
			}).id("s"));
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			fixture.advance(MINUTE);
			assertThat(overlapping.await(10, TimeUnit.SECONDS)).isTrue();
			slow.countDown();
			await().until(() -> fixture.told.stream().filter("after s default"::equals).count() == 2);
		}
	}

	@Test
	void anEntryThatHangsDoesNotStopTheOthers() {
		CountDownLatch never = new CountDownLatch(1);
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(PeriodicTask.calling("* * * * *", "hangs", () -> {
				never.await();
				return null;
			}).id("hangs"));
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			for (int fires = 1; fires <= 20; fires++) {
				fixture.advance(MINUTE);
				int told = 2 * fires;
				await().until(() -> fixture.told.size() == told);
			}
			never.countDown();
		}
	}

	@Test
	void aStartWhileItStopsComesAfterTheStop() throws InterruptedException {
		CountDownLatch firing = new CountDownLatch(1);
		CountDownLatch slow = new CountDownLatch(1);
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(PeriodicTask.calling("* * * * *", "slow", () -> {
				firing.countDown();
				slow.await();
				return null;
			}).id("s"));
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			assertThat(firing.await(10, TimeUnit.SECONDS)).isTrue();
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
	void showsItsEntriesWhileThereAreAny() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.start();
			fixture.scheduler.register(PeriodicTask.of("0 3 * * *", Task.of("report", "{}"))
				.id("berlin")
				.zone("Europe/Berlin")
				.options((options) -> options.queue("low").maxRetry(3)));
			await().until(() -> !fixture.broker.scheduling.entries.isEmpty());
			SchedulerEntrySnapshot entry = fixture.broker.scheduling.entries.get(0);
			assertThat(entry.spec()).isEqualTo("CRON_TZ=Europe/Berlin 0 3 * * *");
			assertThat(entry.options()).containsExactly("Queue(\"low\")", "MaxRetry(3)");
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
	void removesWhatItShowedAndStartsAgain() {
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
	void withoutEntriesItAsksNothingOfRedisWhenItStops() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.start();
			fixture.scheduler.stop();
			assertThat(fixture.broker.scheduling.removals).hasValue(0);
		}
	}

	@Test
	void twoWithOneIdAreRefused() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			assertThatExceptionOfType(DuplicatePeriodicTaskException.class)
				.isThrownBy(() -> fixture.scheduler.register(PeriodicTask.of("@daily", Task.of("x", "")).id("m")))
				.withMessageContainingAll("'m'", "* * * * *", "@daily", "another id");
		}
	}

	@Test
	void theIdIsNotMadeOfThePayload() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			String id = fixture.scheduler.register(PeriodicTask.of("@daily", Task.of("x", "1")));
			assertThat(id).matches("x@default-[0-9a-f]{8}");
			assertThatExceptionOfType(DuplicatePeriodicTaskException.class)
				.isThrownBy(() -> fixture.scheduler.register(PeriodicTask.of("@daily", Task.of("x", "2"))));
			assertThat(fixture.scheduler.register(PeriodicTask.of("@daily", Task.of("x", "2")).zone("Asia/Tokyo")))
				.matches("x@default-[0-9a-f]{8}")
				.isNotEqualTo(id);
		}
	}

	@Test
	void aClockThatIsPutBackLosesNoFires() {
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
	void whatIsNotThereCannotBeRemoved() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			assertThatExceptionOfType(PeriodicTaskNotFoundException.class)
				.isThrownBy(() -> fixture.scheduler.unregister("x"))
				.withMessageContainingAll("'x'", "[m]");
		}
	}

	@Test
	void aTaskForAQueueThatDoesNotKnowTheLastFireIsRefused() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler
				.register(
						PeriodicTask
							.calling("* * * * *", "",
									() -> Task.of("x", "")
										.withOptions(TaskOptions.of((options) -> options.queue("other"))))
							.id("m")
							.missedFires(MissedFirePolicy.ONCE));
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m x", "after m AsynqException");
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
	void listsEntriesInTheirOrder() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			List.of("c", "a", "b").forEach((id) -> fixture.scheduler.register(MINUTELY.id(id)));
			assertThat(fixture.scheduler.entries()).extracting(PeriodicTaskInfo::id).containsExactly("c", "a", "b");
		}
	}

}
