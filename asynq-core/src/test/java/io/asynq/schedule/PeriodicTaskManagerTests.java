package io.asynq.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.inspect.LoopInfo;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.internal.schedule.ProviderSync;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How periodic tasks of a provider are added and removed.
 */
class PeriodicTaskManagerTests {

	private static final PeriodicTaskDefinition A = PeriodicTaskDefinition.of("@every 1h", Task.of("a", "1"));

	private static final PeriodicTaskDefinition B = PeriodicTaskDefinition.of("@every 1h", Task.of("b", "1")).id("b");

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(ProviderSync.class);

	private final SchedulerFixture fixture = new SchedulerFixture((options) -> options.clusterSafe(false));

	private List<PeriodicTaskDefinition> provided = List.of();

	private final ProviderSync sync = new ProviderSync(this.fixture.scheduler, "tenants", () -> this.provided);

	@BeforeEach
	void start() {
		this.log.start();
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.log);
		this.fixture.scheduler.start();
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
		this.fixture.close();
	}

	@Test
	void registersNewAndRemovesMissingEntries() {
		sync(A, B);
		List<PeriodicTaskInfo> before = this.fixture.scheduler.entries();
		assertThat(before).extracting(PeriodicTaskInfo::type).containsExactly("a", "b");
		this.fixture.clock.advance(Duration.ofMinutes(1));
		sync(B, PeriodicTaskDefinition.of("@daily", Task.of("c", "")), A);
		assertThat(this.fixture.scheduler.entries()).hasSize(3).startsWith(before.get(0), before.get(1));
		sync(B);
		assertThat(this.fixture.scheduler.entries()).containsExactly(before.get(1));
	}

	@Test
	void hasOneLoopPerProvider() {
		PeriodicTaskManager manager = new PeriodicTaskManager(this.fixture.scheduler,
				Map.of("tenants", () -> this.provided), SchedulerOptions.builder().clock(this.fixture.clock).build());
		manager.start();
		try {
			assertThat(manager.loops())
				.containsExactly(new LoopInfo("asynq-periodic-task-manager-tenants", false, null, null, null));
		}
		finally {
			manager.stop();
		}
	}

	@Test
	void loopTellsThatItsProviderFailsUntilItAnswers() {
		AtomicBoolean fails = new AtomicBoolean(true);
		PeriodicTaskManager manager = new PeriodicTaskManager(this.fixture.scheduler, Map.of("tenants", () -> {
			if (fails.get()) {
				throw new IllegalStateException("password=secret");
			}
			return List.of(A);
		}), SchedulerOptions.builder().clock(this.fixture.clock).build());
		manager.start();
		try {
			await().until(() -> manager.loops().get(0).failingSince() != null);
			assertThat(manager.loops().get(0).error()).isEqualTo("java.lang.IllegalStateException (see the log)");
			assertThat(manager.loops().get(0).failingSince()).isBeforeOrEqualTo(this.fixture.clock.instant());
			fails.set(false);
			manager.wake();
			awaitEntries(1);
			await().until(() -> manager.loops().get(0).failingSince() == null);
			assertThat(manager.loops().get(0).error()).isNull();
		}
		finally {
			manager.stop();
		}
	}

	@Test
	void identicalTasksCountOnceAndCanBeRemoved() {
		sync(A, PeriodicTaskDefinition.of("@every 1h", Task.of("a", "1")));
		assertThat(this.fixture.scheduler.entries()).hasSize(1);
		sync();
		assertThat(this.fixture.scheduler.entries()).isEmpty();
	}

	@Test
	void anyDifferenceMakesAnotherEntry() {
		Task task = Task.of("a", "1");
		sync(A, PeriodicTaskDefinition.of("@every 1h", Task.of("a", "2")), PeriodicTaskDefinition.of("@every 2h", task),
				PeriodicTaskDefinition.of("@every 1h", Task.of("a", (byte[]) null)), A.zone("UTC"),
				A.options((options) -> options.queue("low")), A.options((options) -> options.header("k", "v")),
				PeriodicTaskDefinition.of("@every 1h", task.withHeaders(Map.of("k", "v"))),
				PeriodicTaskDefinition.of("@every 1h", task.withHeaders(Map.of("k", "v", "l", "w"))),
				PeriodicTaskDefinition.of("@every 1h", task.withHeaders(Map.of("k", "v, l=w"))), PeriodicTaskDefinition
					.of("@every 1h", task.withOptions(TaskOptions.of((options) -> options.maxRetry(1)))));
		assertThat(this.fixture.scheduler.entries()).hasSize(11);
		assertThat(this.log.list).isEmpty();
	}

	@Test
	void supplierTaskHasSameIdInEveryProcess() {
		// The class name of a lambda differs in each JVM, as do those of these two
		sync(PeriodicTaskDefinition.calling("@daily", "a", () -> "1"));
		String id = this.fixture.scheduler.entries().get(0).id();
		sync();
		sync(PeriodicTaskDefinition.calling("@daily", "a", () -> "2"));
		assertThat(this.fixture.scheduler.entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.id()).isEqualTo(id));
	}

	@Test
	void tasksThatDifferOnlyInSupplierNeedIds() {
		List<PeriodicTaskDefinition> tenants = Stream.of("x", "y")
			.map((tenant) -> PeriodicTaskDefinition.calling("@daily", "bill", () -> tenant))
			.toList();
		sync(tenants.get(0), tenants.get(1), tenants.get(0));
		assertThat(this.fixture.scheduler.entries()).hasSize(1);
		assertThat(this.log.list).singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("type=bill")
				.contains("give each its own id"));
		sync(tenants.get(0).id("x"), tenants.get(1).id("y"));
		assertThat(this.fixture.scheduler.entries()).hasSize(2);
	}

	@Test
	void providerWithMissingClassBlocksNoOther() {
		PeriodicTaskProvider broken = () -> {
			throw new NoClassDefFoundError("Driver");
		};
		assertThat(new ProviderSync(this.fixture.scheduler, "broken", broken).run()).isFalse();
	}

	@Test
	void providerStillRunningAfterRestartIsNotCalledTwice() throws InterruptedException {
		CountDownLatch answer = new CountDownLatch(1);
		AtomicInteger asking = new AtomicInteger();
		ProviderSync slow = new ProviderSync(this.fixture.scheduler, "slow", () -> {
			assertThat(asking.incrementAndGet()).isEqualTo(1);
			answer.await();
			asking.decrementAndGet();
			return List.of(A);
		});
		Thread before = new Thread(slow::run);
		before.start();
		await().until(() -> asking.get() == 1);
		Thread after = new Thread(slow::run);
		after.start();
		await().until(() -> after.getState() == Thread.State.BLOCKED);
		answer.countDown();
		before.join();
		after.join();
		assertThat(this.fixture.scheduler.entries()).hasSize(1);
		assertThat(this.log.list).isEmpty();
	}

	@Test
	void changedEntryOfSameIdIsReplaced() {
		sync(B);
		sync(PeriodicTaskDefinition.of("0 3 * * *", Task.of("b", "1")).id("b"));
		assertThat(this.fixture.scheduler.entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.next()).isEqualTo(Instant.parse("2024-05-02T03:00:00Z")));
	}

	@Test
	void invalidTaskIsReportedOnceAndSkipped() {
		PeriodicTaskDefinition wrong = PeriodicTaskDefinition.of("61 * * * *", Task.of("c", "")).id("wrong");
		PeriodicTaskDefinition blank = PeriodicTaskDefinition.of("@daily", Task.of("d", ""))
			.options((options) -> options.queue(""));
		sync(A, wrong, null, blank, B, B.options((options) -> options.queue("low")));
		sync(A, wrong, null, blank, B, B.options((options) -> options.queue("low")));
		assertThat(this.fixture.scheduler.entries()).extracting(PeriodicTaskInfo::type).containsExactly("a", "b");
		assertThat(this.log.list).extracting(ILoggingEvent::getFormattedMessage)
			.hasSize(4)
			.anyMatch((line) -> line.contains("'wrong'") && line.contains("'61'"))
			.anyMatch((line) -> line.contains("null"))
			.anyMatch((line) -> line.contains("type=d") && line.contains("'queue'"))
			.anyMatch((line) -> line.contains("'b'") && line.contains("another id"));
		sync(A, B);
		sync(A, B, wrong);
		assertThat(this.log.list).hasSize(5);
	}

	@Test
	void failingProviderKeepsItsEntries() {
		sync(A, B);
		this.provided = null;
		assertThat(this.sync.run()).isFalse();
		assertThat(this.sync.run()).isFalse();
		assertThat(this.fixture.scheduler.entries()).hasSize(2);
		assertThat(this.log.list).singleElement().satisfies((line) -> {
			assertThat(line.getFormattedMessage()).contains("'tenants'", "its last 2 entries stay",
					"asked again in 10 s");
			assertThat(line.getThrowableProxy().getMessage()).contains("returned null");
		});
		sync(A, B);
		assertThat(this.log.list).hasSize(2)
			.last()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("'tenants'", "again"));
	}

	@Test
	void persistentFailureIsLoggedPeriodically() {
		this.provided = null;
		for (int i = 1; i <= 61; i++) {
			assertThat(this.sync.run()).isFalse();
		}
		assertThat(this.log.list).hasSize(3)
			.allSatisfy((line) -> assertThat(line.getFormattedMessage()).contains("it has no entries"));
	}

	@Test
	void failureWhileReadingListIsFailureOfProvider() {
		this.provided = new AbstractList<>() {

			@Override
			public PeriodicTaskDefinition get(int index) {
				throw new IllegalStateException("the cursor is closed");
			}

			@Override
			public int size() {
				return 1;
			}

		};
		assertThat(this.sync.run()).isFalse();
		assertThat(this.sync.run()).isFalse();
		assertThat(this.log.list).as("called once, and never for a recovery").hasSize(1);
	}

	@Test
	void hangingProviderBlocksNoOther() {
		CountDownLatch never = new CountDownLatch(1);
		PeriodicTaskManager manager = new PeriodicTaskManager(this.fixture.scheduler, Map.of("hangs", () -> {
			never.await();
			return List.of();
		}, "works", () -> List.of(A)), SchedulerOptions.builder().clock(this.fixture.clock).build());
		manager.start();
		awaitEntries(1);
		never.countDown();
		manager.stop();
	}

	@Test
	void keepsJvmAliveUntilStopEvenIfProvidersHang() {
		CountDownLatch never = new CountDownLatch(1);
		int providers = 20;
		CountDownLatch asked = new CountDownLatch(providers);
		PeriodicTaskProvider hanging = () -> {
			asked.countDown();
			never.await();
			return List.of();
		};
		Map<String, PeriodicTaskProvider> all = new HashMap<>();
		for (int i = 0; i < providers; i++) {
			all.put("provider" + i, hanging);
		}
		PeriodicTaskManager manager = new PeriodicTaskManager(this.fixture.scheduler, all,
				SchedulerOptions.builder().clock(this.fixture.clock).build());
		manager.start();
		try {
			await().until(() -> asked.getCount() == 0);
			assertThat(threadsThatKeepTheJvmAlive()).isNotEmpty();
			long before = System.nanoTime();
			manager.stop();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).as("5 s for all together, not for each")
				.isLessThan(Duration.ofSeconds(90));
			await().untilAsserted(() -> assertThat(threadsThatKeepTheJvmAlive()).isEmpty());
		}
		finally {
			never.countDown();
		}
	}

	@Test
	void historiesOfRemovedEntriesAreDeletedTogether() {
		sync(IntStream.range(0, 1000).mapToObj((i) -> A.id("a" + i)).toArray(PeriodicTaskDefinition[]::new));
		sync(IntStream.range(500, 1500).mapToObj((i) -> A.id("a" + i)).toArray(PeriodicTaskDefinition[]::new));
		await().until(() -> this.fixture.broker.scheduling.forgotten.size() == 500);
		assertThat(this.fixture.broker.scheduling.removals).hasValueLessThan(5);
		assertThat(this.fixture.broker.scheduling.forgotten).contains("a0", "a499").doesNotContain("a500");
	}

	@Test
	void changedEntryKeepsHistory() {
		sync(A.id("a"), B);
		sync(PeriodicTaskDefinition.of("0 3 * * *", Task.of("a", "1")).id("a"));
		await().until(() -> !this.fixture.broker.scheduling.forgotten.isEmpty());
		assertThat(this.fixture.broker.scheduling.forgotten).containsExactly("b");
	}

	@Test
	void pollsProvidersPeriodicallyAndAfterRestart() {
		List<PeriodicTaskDefinition> growing = new ArrayList<>();
		PeriodicTaskProvider provider = () -> {
			growing.add(A.id("a" + growing.size()));
			return List.copyOf(growing);
		};
		PeriodicTaskProvider broken = () -> {
			throw new IllegalStateException("no database");
		};
		SchedulerOptions options = SchedulerOptions.builder().clock(this.fixture.clock).build();
		PeriodicTaskManager manager = new PeriodicTaskManager(this.fixture.scheduler,
				Map.of("broken", broken, "growing", provider), options);
		manager.start();
		awaitEntries(1);
		manager.wake();
		awaitEntries(2);
		manager.stop();
		assertThat(manager.isRunning()).isFalse();
		manager.start();
		awaitEntries(3);
		manager.stop();
	}

	private static List<String> threadsThatKeepTheJvmAlive() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !thread.isDaemon())
			.map(Thread::getName)
			.filter((name) -> name.startsWith("asynq-periodic-task-manager"))
			.toList();
	}

	private void awaitEntries(int count) {
		await().until(() -> this.fixture.scheduler.entries().size() == count);
	}

	private void sync(PeriodicTaskDefinition... tasks) {
		this.provided = Arrays.asList(tasks);
		assertThat(this.sync.run()).isTrue();
	}

}
