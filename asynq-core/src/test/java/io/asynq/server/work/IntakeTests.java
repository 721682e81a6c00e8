package io.asynq.server.work;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.BrokerUnavailableException;
import io.asynq.broker.TaskDequeuer;
import io.asynq.broker.message.Dequeued;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.TaskMessage;
import io.asynq.server.fetch.TaskFetcher;
import io.asynq.server.fetch.TestFetchers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(300)
class IntakeTests {

	/** The common pool may have a single thread, which a waiting task would block. */
	private static final AsyncTaskExecutor THREADS = new SimpleAsyncTaskExecutor("test-");

	private static final int SLOTS = 3;

	private final Queue<String> pending = new ArrayDeque<>();

	private final List<String> taken = new ArrayList<>();

	private final AtomicInteger calls = new AtomicInteger();

	private final AtomicInteger processorWoken = new AtomicInteger();

	private final List<LeasedTask> putBack = new CopyOnWriteArrayList<>();

	private final Slots slots = new Slots(SLOTS, () -> {
	});

	private TaskDequeuer redis = this::dequeue;

	private final TaskFetcher fetcher = TestFetchers.of("default", (queue, max) -> this.redis.dequeue(queue, max));

	private final Intake intake = new Intake(this.fetcher, this.slots, this::run, this.putBack::addAll,
			this.processorWoken::incrementAndGet);

	@BeforeEach
	void open() {
		this.intake.open();
	}

	@Test
	void workerFetchesAsManyTasksAsFreeSlots() {
		this.pending.addAll(List.of("t1", "t2", "t3", "t4"));
		this.intake.fetchForWorker();
		assertThat(this.taken).containsExactly("t1", "t2", "t3");
		this.slots.release();
		this.intake.fetchForWorker();
		assertThat(this.taken).containsExactly("t1", "t2", "t3", "t4");
	}

	@Test
	void fetchesNothingWithoutMarkFreeSlotOrWhenClosed() {
		this.intake.fetchForWorker();
		assertThat(this.calls).hasValue(1);
		this.intake.fetchForWorker();
		assertThat(this.calls).as("found empty").hasValue(1);
		this.fetcher.readiness().markAll();
		this.intake.close();
		this.intake.fetchForWorker();
		assertThat(this.calls).as("closed").hasValue(1);
		this.intake.open();
		run(List.of(task("a"), task("b"), task("c")));
		this.intake.fetchForWorker();
		assertThat(this.calls).as("no slot").hasValue(1);
	}

	@Test
	void concurrentFetchIsLeftToRunningOne() throws Exception {
		CountDownLatch fetching = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		this.redis = (queue, max) -> {
			fetching.countDown();
			await(answer);
			this.redis = this::dequeue;
			return new Dequeued(List.of(), true);
		};
		CompletableFuture<Void> first = CompletableFuture.runAsync(this.intake::fetch, THREADS);
		assertThat(fetching.await(60, TimeUnit.SECONDS)).isTrue();
		this.pending.add("late");
		this.fetcher.readiness().mark("default");
		this.intake.fetchForWorker();
		assertThat(this.taken).isEmpty();
		assertThat(this.intake.awaitQuiet(Duration.ofMillis(1))).isFalse();
		answer.countDown();
		first.get(10, TimeUnit.SECONDS);
		assertThat(this.taken).containsExactly("late");
		assertThat(this.intake.awaitQuiet(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void onlyProcessorRetriesAfterFailure() {
		this.redis = (queue, max) -> {
			this.calls.incrementAndGet();
			throw new BrokerUnavailableException("Redis is away", null);
		};
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(this.intake::fetchForWorker);
		assertThat(this.processorWoken).hasValue(1);
		this.intake.fetchForWorker();
		assertThat(this.calls).hasValue(1);
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(this.intake::fetch);
		this.intake.fetchForWorker();
		assertThat(this.calls).hasValue(2);
		this.redis = this::dequeue;
		this.pending.addAll(List.of("t1", "t2", "t3", "t4"));
		this.intake.fetch();
		this.slots.release();
		this.intake.fetchForWorker();
		assertThat(this.taken).containsExactly("t1", "t2", "t3", "t4");
	}

	@Test
	void noLookIsNeededDuringFetch() {
		this.pending.add("t1");
		this.redis = (queue, max) -> {
			this.fetcher.readiness().mark(queue);
			assertThat(this.intake.isWorthwhile()).isTrue();
			assertThat(this.intake.isUnattended()).isFalse();
			this.redis = this::dequeue;
			return dequeue(queue, max);
		};
		assertThat(this.intake.isUnattended()).isTrue();
		this.intake.fetchForWorker();
		assertThat(this.taken).containsExactly("t1");
		assertThat(this.intake.isUnattended()).isFalse();
	}

	private Dequeued dequeue(String queue, int max) {
		this.calls.incrementAndGet();
		List<LeasedTask> tasks = new ArrayList<>();
		while (tasks.size() < max && !this.pending.isEmpty()) {
			tasks.add(task(this.pending.remove()));
		}
		return new Dequeued(tasks, this.pending.isEmpty());
	}

	private void run(List<LeasedTask> tasks) {
		for (LeasedTask task : tasks) {
			this.taken.add(task.message().id());
			this.slots.take();
			this.slots.started();
		}
	}

	private static LeasedTask task(String id) {
		TaskMessage message = TaskMessage.builder("type", id, "default").build();
		return new LeasedTask(message, new Lease("default", id, "", System.nanoTime() + Duration.ofHours(1).toNanos()));
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
