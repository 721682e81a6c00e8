package io.asynq.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.BrokerUnavailableException;
import io.asynq.EnqueueInterceptor;
import io.asynq.Task;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.worker.CrashRecord;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.server.ServerStatistics;
import io.asynq.server.FailureLogging;
import io.asynq.server.ServerOptions;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The aggregation of one group, whatever its aggregator does.
 */
@Timeout(300)
class GroupAggregationTests {

	private static final GroupName GROUP = new GroupName(FakeGroups.QUEUE, "g");

	private static final Task NEW = Task.of("new", "x");

	private final MutableClock clock = MutableClock.create();

	private final FakeGroups groups = new FakeGroups(this.clock, "1", "2", "3");

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(GroupAggregation.class);

	private final CountDownLatch called = new CountDownLatch(1);

	private final CountDownLatch interrupted = new CountDownLatch(1);

	private final CountDownLatch mayReturn = new CountDownLatch(1);

	private final List<EnqueueInterceptor> interceptors = new ArrayList<>();

	private final List<Runnable> listening = new ArrayList<>();

	private ServerCounters counters;

	@BeforeEach
	void listen() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void stop() {
		this.mayReturn.countDown();
		this.logger.detachAppender(this.log);
		this.listening.forEach(Runnable::run);
	}

	@Test
	void groupWithTooManyCrashesIsSetAsideWithReason() {
		List<Task> called = new ArrayList<>();
		this.groups.record = new CrashRecord(true, 4, List.of("host:1 2026-01-01T00:00:00Z"), 0);
		aggregation((queue, group, tasks) -> {
			called.addAll(tasks);
			return NEW;
		}).run(GROUP);
		assertThat(called).isEmpty();
		assertThat(this.groups.finished).isEmpty();
		assertThat(this.groups.archived).hasSize(3)
			.allSatisfy((text) -> assertThat(text).contains("took down 4 servers (asynq.server.max-crashes)",
					"host:1 2026-01-01T00:00:00Z"));
		assertThat(this.counters.poisoned.sum()).isEqualTo(3);
		assertThat(this.counters.archived.sum()).isEqualTo(3);
		assertThat(this.groups.givenBack).hasSize(1);
		assertThat(this.groups.ends).containsExactly(GroupStore.End.BY_ITSELF);
	}

	@Test
	void groupAtCrashLimitIsAggregated() {
		this.groups.record = new CrashRecord(true, 3, List.of(), 0);
		aggregation((queue, group, tasks) -> NEW).run(GROUP);
		assertThat(this.groups.finished).containsExactly("1", "2", "3");
		assertThat(this.groups.ends).containsExactly(GroupStore.End.BY_ITSELF);
	}

	@Test
	void failedAggregatorEndedByItself() {
		aggregation((queue, group, tasks) -> null).run(GROUP);
		assertThat(this.groups.ends).containsExactly(GroupStore.End.BY_ITSELF);
	}

	@Test
	void aggregatorNotCalledBecauseRedisFailedIsNoCrash() {
		this.groups.onRead = () -> {
			throw new BrokerUnavailableException("no answer", null);
		};
		aggregation((queue, group, tasks) -> NEW).run(GROUP);
		assertThat(this.groups.ends).containsExactly(GroupStore.End.CUT_SHORT);
	}

	@Test
	void aggregatorThatStopsItsServerIsAbandonedWithoutInterrupt() {
		List<AggregatorCall> culprits = new ArrayList<>();
		List<GroupAggregation> itself = new ArrayList<>();
		itself.add(aggregation((queue, group, tasks) -> {
			culprits.addAll(itself.get(0).giveUpCulprits());
			assertThat(itself.get(0).giveUpCulprits()).isEmpty();
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			culprits.forEach(itself.get(0)::giveUpTasks);
			return NEW;
		}));
		assertThat(itself.get(0).run(GROUP)).isFalse();
		assertThat(culprits).hasSize(1);
		assertThat(this.groups.finished).isEmpty();
		assertThat(this.groups.givenBack).hasSize(1);
		assertThat(this.groups.ends).isNotEmpty().containsOnly(GroupStore.End.CRASHED);
		assertThat(warnings()).singleElement()
			.extracting(ILoggingEvent::getFormattedMessage)
			.asString()
			.contains("group 'g' of queue 'default'", "has stopped its own server");
	}

	@Test
	void timedOutAggregatorIsAbandonedOnceAndItsResultDropped() throws Exception {
		GroupAggregation aggregation = aggregation(new Stubborn());
		Thread thread = start(aggregation);
		long end = this.groups.endNanos;
		assertThat(aggregation.giveUpOverdue(end - 1, aggregation::giveUpTasks)).isEqualTo(end);
		assertThat(this.groups.givenBack).isEmpty();
		assertThat(aggregation.giveUpOverdue(end, aggregation::giveUpTasks)).isNull();
		assertThat(this.interrupted.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(aggregation.giveUpOverdue(end, aggregation::giveUpTasks)).isNull();
		assertThat(this.groups.givenBack).hasSize(1);
		assertThat(statistics()).isEqualTo(new ServerStatistics.Aggregation(0, 1, 0));
		assertThat(thread.isAlive()).as("its thread is not free").isTrue();
		this.mayReturn.countDown();
		thread.join(10_000);
		assertThat(thread.isAlive()).isFalse();
		assertThat(this.groups.finished).isEmpty();
		assertThat(this.groups.givenBack).hasSize(1);
		assertThat(statistics()).isEqualTo(new ServerStatistics.Aggregation(0, 1, 0));
		assertThat(warnings()).singleElement()
			.satisfies((event) -> assertThat(event.getFormattedMessage()).contains("group 'g' of queue 'default'",
					"aggregator Digests.digest", "3 tasks", "1 of 3"))
			.satisfies((event) -> assertThat(event.getThrowableProxy().getStackTraceElementProxyArray())
				.anyMatch((frame) -> frame.getSTEAsString().contains("Stubborn.aggregate")));
	}

	@Test
	void steppedClockAbandonsNoAggregator() throws Exception {
		GroupAggregation aggregation = aggregation(new Stubborn());
		Thread thread = start(aggregation);
		this.clock.advance(Duration.ofHours(1));
		aggregation.giveUpOverdue(System.nanoTime(), aggregation::giveUpTasks);
		assertThat(this.groups.givenBack).isEmpty();
		this.mayReturn.countDown();
		thread.join(10_000);
		assertThat(this.groups.finished).containsExactly("1", "2", "3");
	}

	@Test
	void aggregatorThatObeysInterruptFailsOnce() throws Exception {
		GroupAggregation aggregation = aggregation((queue, group, tasks) -> {
			this.called.countDown();
			this.mayReturn.await();
			return NEW;
		});
		Thread thread = start(aggregation);
		aggregation.giveUpOverdue(this.groups.endNanos, aggregation::giveUpTasks);
		thread.join(10_000);
		assertThat(thread.isAlive()).isFalse();
		assertThat(this.groups.givenBack).hasSize(1);
		assertThat(statistics()).isEqualTo(new ServerStatistics.Aggregation(0, 1, 0));
		assertThat(warnings()).hasSize(1);
	}

	@Test
	void abandonmentAtStopIsNoFailure() throws Exception {
		GroupAggregation aggregation = aggregation(new Stubborn());
		start(aggregation);
		List<AggregatorCall> givenUp = aggregation.giveUpAll();
		assertThat(givenUp).hasSize(1);
		assertThat(aggregation.giveUpAll()).isEmpty();
		assertThat(this.interrupted.await(60, TimeUnit.SECONDS)).isTrue();
		givenUp.forEach(aggregation::giveUpTasks);
		assertThat(this.groups.givenBack).hasSize(1);
		assertThat(this.groups.ends).containsExactly(GroupStore.End.CUT_SHORT);
		assertThat(statistics()).isEqualTo(new ServerStatistics.Aggregation(0, 0, 0));
		assertThat(warnings()).singleElement()
			.extracting(ILoggingEvent::getFormattedMessage)
			.asString()
			.contains("group 'g' of queue 'default'", "asynq.server.shutdown-timeout");
	}

	@Test
	void staleStagedSetIsNotAggregatedAfterStop() {
		GroupAggregation aggregation = aggregation((queue, group, tasks) -> NEW);
		this.groups.onStage = aggregation::giveUpAll;
		assertThat(aggregation.run(GROUP)).isFalse();
		assertThat(this.groups.finished).isEmpty();
		assertThat(this.groups.givenBack).hasSize(1);
		this.groups.onStage = aggregation::goOn;
		aggregation.run(GROUP);
		assertThat(this.groups.finished).as("after a restart").containsExactly("1", "2", "3");
	}

	@Test
	void interruptLeftByAggregatorHasNoEffect() {
		assertThat(aggregation((queue, group, tasks) -> {
			Thread.currentThread().interrupt();
			return NEW;
		}).run(GROUP)).isFalse();
		assertThat(this.groups.finished).containsExactly("1", "2", "3");
		assertThat(this.groups.interrupted).isFalse();
		assertThat(statistics()).isEqualTo(new ServerStatistics.Aggregation(1, 0, 3));
	}

	@Test
	void remainingTasksAreAggregatedWithoutRejectedOnes() {
		List<Integer> sizes = new ArrayList<>();
		aggregation((queue, group, tasks) -> {
			sizes.add(tasks.size());
			if (tasks.size() > 1) {
				throw new RejectedTasksException("no use", List.of(tasks.get(0)), null);
			}
			return NEW;
		}).run(GROUP);
		assertThat(sizes).containsExactly(3, 2, 1);
		assertThat(this.groups.archived).containsExactly("1: no use", "2: no use");
		assertThat(this.counters.archived.sum()).isEqualTo(2);
		assertThat(this.groups.finished).containsExactly("3");
		assertThat(this.groups.givenBack).isEmpty();
		assertThat(statistics()).isEqualTo(new ServerStatistics.Aggregation(1, 0, 1));
	}

	@ParameterizedTest
	@CsvSource({ "EVERY,4", "FIRST_AND_LAST,2", "LAST,0", "NONE,0" })
	void failuresAreLoggedWithStackAsThoseOfTasks(FailureLogging which, int warnings) {
		ListAppender<ILoggingEvent> lines = listenTo(GroupAggregation.class);
		AtomicInteger calls = new AtomicInteger();
		GroupAggregation aggregation = aggregation((queue, group, tasks) -> {
			if (calls.incrementAndGet() == 4) {
				return NEW;
			}
			throw new IllegalStateException("no printer");
		}, ServerOptions.builder().logFailures(which).build());
		for (int i = 0; i < 5; i++) {
			aggregation.run(GROUP);
		}
		assertThat(statistics().failed()).isEqualTo(4);
		assertThat(lines.list).filteredOn((event) -> event.getLevel() == Level.WARN)
			.hasSize(warnings)
			.allSatisfy((event) -> assertThat(event.getFormattedMessage()).contains(
					"3 tasks of group 'g' of queue 'default'", "no printer", "retried after", "RejectedTasksException"))
			.allSatisfy((event) -> assertThat(event.getThrowableProxy().getStackTraceElementProxyArray())
				.anyMatch((frame) -> frame.getSTEAsString().contains(getClass().getSimpleName())));
	}

	@Test
	void failuresOfRedisAreLoggedInOneLineWithoutStack() {
		ListAppender<ILoggingEvent> lines = listenTo(LoopErrorLog.class);
		this.groups.onRead = () -> {
			throw new BrokerUnavailableException("no answer", null);
		};
		GroupAggregation aggregation = aggregation((queue, group, tasks) -> NEW);
		for (int i = 0; i < 100; i++) {
			aggregation.run(GROUP);
		}
		assertThat(statistics().failed()).isEqualTo(100);
		assertThat(lines.list).filteredOn((event) -> event.getLevel() == Level.WARN)
			.singleElement()
			.satisfies((event) -> {
				assertThat(event.getFormattedMessage()).contains("3 tasks of group 'g' of queue 'default'",
						"no answer");
				assertThat(event.getThrowableProxy()).isNull();
			});
	}

	@Test
	void interceptorsSeeAggregatedTask() {
		this.interceptors.add((task) -> task.header("from", task.queue()));
		aggregation((queue, group, tasks) -> NEW).run(GROUP);
		assertThat(this.groups.stored).singleElement()
			.satisfies((request) -> assertThat(request.message().headers()).containsEntry("from", FakeGroups.QUEUE));
	}

	@Test
	void groupWhoseTaskAnInterceptorRefusesIsRetried() {
		ListAppender<ILoggingEvent> lines = listenTo(GroupAggregation.class);
		this.interceptors.add((task) -> {
			throw new AssertionError("no tenant");
		});
		aggregation((queue, group, tasks) -> NEW).run(GROUP);
		assertThat(this.groups.finished).isEmpty();
		assertThat(this.groups.givenBack).hasSize(1);
		assertThat(lines.list).singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("EnqueueInterceptor",
					getClass().getName(), "no tenant"));
	}

	@Test
	void groupOfOnlyRejectedTasksIsCleanedUp() {
		aggregation((queue, group, tasks) -> {
			throw new RejectedTasksException("no use", tasks, null);
		}).run(GROUP);
		assertThat(this.groups.archived).hasSize(3);
		assertThat(this.groups.finished).isEmpty();
		assertThat(this.groups.givenBack).hasSize(1);
	}

	@Test
	void rejectionOfUnknownTasksFails() {
		aggregation((queue, group, tasks) -> {
			throw new RejectedTasksException("no use", List.of(Task.of("type", "1")), null);
		}).run(GROUP);
		assertThat(this.groups.archived).isEmpty();
		assertThat(this.groups.givenBack).hasSize(1);
		assertThat(statistics()).isEqualTo(new ServerStatistics.Aggregation(0, 1, 0));
	}

	private GroupAggregation aggregation(TaskAggregatorFunction aggregator) {
		return aggregation(aggregator, ServerOptions.builder().build());
	}

	private GroupAggregation aggregation(TaskAggregatorFunction aggregator, ServerOptions options) {
		TaskAggregators aggregators = new TaskAggregators();
		aggregators.add("", "", aggregator);
		this.counters = new ServerCounters(List.of(FakeGroups.QUEUE));
		return new GroupAggregation(this.groups, aggregators, options, this.counters, TaskObservations.none(),
				TaskEvents.none(), new TaskMessageFactory(this.clock, this.interceptors));
	}

	private ListAppender<ILoggingEvent> listenTo(Class<?> type) {
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		Logger its = (Logger) LoggerFactory.getLogger(type);
		its.addAppender(lines);
		this.listening.add(() -> its.detachAppender(lines));
		return lines;
	}

	private Thread start(GroupAggregation aggregation) throws InterruptedException {
		Thread thread = new Thread(() -> aggregation.run(GROUP));
		thread.start();
		assertThat(this.called.await(60, TimeUnit.SECONDS)).isTrue();
		return thread;
	}

	private ServerStatistics.Aggregation statistics() {
		return this.counters.aggregations(FakeGroups.QUEUE).snapshot();
	}

	private List<ILoggingEvent> warnings() {
		return this.log.list.stream().filter((event) -> event.getLevel() == Level.WARN).toList();
	}

	/**
	 * Ignores interrupts.
	 */
	private final class Stubborn implements TaskAggregatorFunction {

		@Override
		public Task aggregate(String queue, String group, List<Task> tasks) {
			GroupAggregationTests.this.called.countDown();
			while (true) {
				try {
					GroupAggregationTests.this.mayReturn.await();
					return NEW;
				}
				catch (InterruptedException ex) {
					GroupAggregationTests.this.interrupted.countDown();
				}
			}
		}

		@Override
		public String toString() {
			return "Digests.digest";
		}

	}

}
