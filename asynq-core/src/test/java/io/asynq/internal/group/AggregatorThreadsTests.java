package io.asynq.internal.group;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.asynq.handler.TaskAggregators;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.server.ServerOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

@Timeout(300)
class AggregatorThreadsTests {

	private static final int MANY = 1000;

	private final Semaphore mayEnd = new Semaphore(0);

	private final CountDownLatch told = new CountDownLatch(1);

	private final AggregatorThreads threads = new AggregatorThreads(aggregation(), Lanes.single(),
			this.told::countDown);

	@BeforeEach
	void start() {
		this.threads.start();
	}

	@AfterEach
	void stop() {
		this.mayEnd.release(MANY);
		this.threads.takeNoMore();
		this.threads.stop(Duration.ofSeconds(5));
	}

	@Test
	void reportsWhenSkippedGroupsMayBeRetried() throws Exception {
		submitMany();
		assertThat(this.threads.areBusy("q")).isTrue();
		this.mayEnd.release(MANY);
		assertThat(this.told.await(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void fullyScannedQueueDoesNotHideUnscannedOne() throws Exception {
		submitMany();
		assertThat(this.threads.areBusy("q")).as("when the first queue was looked at").isTrue();
		this.mayEnd.release(1);
		await().until(() -> !this.threads.areBusy("q"));
		this.mayEnd.release(MANY);
		assertThat(this.told.await(60, TimeUnit.SECONDS)).as("the rest of the first queue is examined").isTrue();
	}

	@Test
	void reportsNothingWhenAllGroupsWereFound() {
		this.threads.submit(new GroupName("q", "only"));
		assertThat(this.threads.areBusy("q")).isFalse();
		this.mayEnd.release(MANY);
		stop();
		assertThat(this.told.getCount()).isOne();
	}

	@Test
	void startsNoGroupsDuringStopAndStartsThemAfterRestart() {
		this.mayEnd.release(2);
		this.threads.takeNoMore();
		this.threads.submit(new GroupName("q", "g"));
		await().during(Duration.ofMillis(100)).until(() -> this.mayEnd.availablePermits() == 2);
		this.threads.takeAgain();
		this.threads.submit(new GroupName("q", "g"));
		await().until(() -> this.mayEnd.availablePermits() == 1);
	}

	@Test
	void threadAbandonedAtStopDoesNotEndTurnAfterRestart() {
		GroupName group = new GroupName("q", "g");
		this.threads.submit(group);
		await().until(() -> this.mayEnd.getQueueLength() == 1);
		this.threads.takeNoMore();
		this.threads.stop(Duration.ZERO);
		this.threads.start();
		this.threads.submit(group);
		await().until(() -> this.mayEnd.getQueueLength() == 2);
		this.mayEnd.release();
		await().until(() -> running() == 1);
		this.threads.submit(group);
		await().during(Duration.ofMillis(200)).until(() -> running() == 1);
	}

	private static long running() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("asynq-aggregation-"))
			.count();
	}

	private void submitMany() {
		for (int i = 0; i < MANY; i++) {
			this.threads.submit(new GroupName("q", "g" + i));
		}
	}

	/** Each aggregation waits for a permit, then stages nothing. */
	private GroupAggregation aggregation() {
		GroupStore store = mock(GroupStore.class, (call) -> {
			this.mayEnd.acquire();
			return null;
		});
		TaskAggregators aggregators = new TaskAggregators();
		aggregators.add("", "", (queue, group, tasks) -> null);
		return new GroupAggregation(store, aggregators, ServerOptions.builder().queue("q", 1).build(),
				new ServerCounters(List.of("q")), TaskObservations.none(), TaskEvents.none(),
				new TaskMessageFactory(Clock.systemUTC(), List.of()));
	}

}
