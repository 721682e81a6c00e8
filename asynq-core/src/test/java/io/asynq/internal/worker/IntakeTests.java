package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.QueueWeights;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

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

	/** Called when a task has started. */
	private Runnable ending = () -> {
	};

	private TaskDequeuer redis = this::dequeue;

	private final TaskFetcher fetcher = TestFetchers.of("default", (queue, max) -> this.redis.dequeue(queue, max));

	private final PrefetchBuffer buffer = new PrefetchBuffer(new QueueWeights(Map.of(), false),
			this.processorWoken::incrementAndGet);

	private final TaskFlow flow = TestFetchers.shortTasksFarAway();

	private final Intake intake = new Intake(this.fetcher, this.slots, this.buffer, this.flow,
			new TestSink(this::run, this.putBack::addAll), this.processorWoken::incrementAndGet);

	@BeforeEach
	void open() {
		this.intake.open();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 3 })
	void tasksThatComeLateGoBackThoughTheFirstCannotStart(int free) {
		for (int slot = free; slot < SLOTS; slot++) {
			this.slots.take();
			this.slots.started();
		}
		Intake failing = new Intake(this.fetcher, this.slots, this.buffer, this.flow, new TestSink((tasks) -> {
			throw new OutOfMemoryError("planted");
		}, this.putBack::addAll), this.processorWoken::incrementAndGet);
		failing.open();
		List<LeasedTask> late = List.of(task("a"), task("b"), task("c"), task("d"));
		assertThat(catchThrowable(() -> failing.acceptLate(late)) != null).isEqualTo(free > 0);
		assertThat(this.putBack).containsExactlyElementsOf(late.subList(free, late.size()));
		assertThat(this.processorWoken).hasValueGreaterThan(0);
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

	@Test
	void processorFetchesAheadOfBusyWorkersFromLongQueue() {
		seed(1000);
		this.intake.fetch();
		assertThat(this.taken).hasSize(SLOTS);
		assertThat(this.buffer.size()).isEqualTo(256);
		assertThat(this.calls).as("the first one knew nothing of the queue").hasValue(1 + 4);
	}

	@Test
	void workerLeavesThatToProcessor() {
		seed(1000);
		this.intake.fetchForWorker();
		assertThat(this.buffer.size()).isZero();
		assertThat(this.processorWoken).hasValue(1);
		this.slots.release();
		this.intake.fetchForWorker();
		assertThat(this.buffer.size()).as("in the same call, which takes 64").isEqualTo(63);
		assertThat(this.calls).hasValue(2);
	}

	/** There may be queues to watch, and tasks to put back. */
	@Test
	void threadLeavesOffNowAndThenThoughThereIsMore() {
		this.ending = this.slots::release;
		seed(10_000);
		assertThat(this.intake.fetch()).isTrue();
		assertThat(this.pending).hasSizeGreaterThan(9000);
		assertThat(this.intake.fetchForWorker()).isTrue();
		assertThat(this.pending).hasSizeGreaterThan(8000);
		while (this.intake.fetch()) {
			assertThat(this.calls).hasValueLessThan(10_000);
		}
		assertThat(this.pending).isEmpty();
	}

	@Test
	void shortQueueIsLeftToWhoeverHasIdleWorker() {
		seed(200);
		this.intake.fetch();
		assertThat(this.taken).hasSize(SLOTS);
		assertThat(this.buffer.size()).isZero();
		assertThat(this.calls).hasValue(1);
	}

	@Test
	void isNotFetchedAheadAgainAfterNothingWasGiven() {
		seed(1000);
		this.redis = (queue, max) -> {
			this.redis = (again, most) -> {
				this.calls.incrementAndGet();
				return new Dequeued(List.of(), false, null, 997, false);
			};
			return dequeue(queue, max);
		};
		this.intake.fetch();
		assertThat(this.calls).as("such as a suspect").hasValue(2);
		this.redis = this::dequeue;
		this.intake.fetch();
		assertThat(this.calls).hasValue(2);
		this.slots.release();
		this.intake.fetch();
		assertThat(this.buffer.size()).isEqualTo(256);
	}

	@Test
	void bufferedTasksOfPausedQueueGoBackWithinOneFetch() {
		seed(1000);
		this.intake.fetch();
		this.buffer.next();
		this.redis = (queue, max) -> new Dequeued(List.of(), true, null, 0, true);
		this.intake.fetch();
		assertThat(this.buffer.size()).isZero();
		assertThat(this.putBack).hasSize(255);
		assertThat(ids(this.putBack)).startsWith("t4", "t5", "t6");
	}

	@Test
	void bufferedTasksDoNotStartOnceClosedAndGoBackInOrder() {
		seed(1000);
		this.intake.fetch();
		this.intake.close();
		assertThat(this.buffer.next()).isNull();
		this.intake.putBackBuffered();
		assertThat(this.putBack).hasSize(256);
		assertThat(ids(this.putBack)).startsWith("t3", "t4", "t5");
	}

	@Test
	void tasksThatWentBackNoLongerCountAsFetchedAtTheNextFetch() {
		seed(1000);
		this.intake.fetch();
		assertThat(this.buffer.count("default")).isEqualTo(256);
		this.intake.putBackBuffered();
		assertThat(this.buffer.count("default")).isEqualTo(256);
		this.intake.fetch();
		assertThat(this.buffer.size()).isPositive();
		assertThat(this.buffer.count("default")).isEqualTo(this.buffer.size());
	}

	@Test
	void tasksThatWaitForLongGoBackAndNothingIsFetchedAheadForWhile() {
		seed(1000);
		this.intake.fetch();
		long next = this.intake.putBackOverdue();
		// A machine that stands still makes them overdue at once
		assertThat(this.putBack.isEmpty() ? next : 0).isLessThanOrEqualTo(Duration.ofMillis(60).toNanos());
		Awaitility.await().until(() -> this.intake.putBackOverdue() == Long.MAX_VALUE);
		assertThat(this.putBack).hasSize(256);
		this.intake.fetch();
		assertThat(this.buffer.size()).isZero();
	}

	private void seed(int tasks) {
		IntStream.range(0, tasks).forEach((i) -> this.pending.add("t" + i));
	}

	private static List<String> ids(List<LeasedTask> tasks) {
		return tasks.stream().map((task) -> task.message().id()).toList();
	}

	private Dequeued dequeue(String queue, int max) {
		this.calls.incrementAndGet();
		List<LeasedTask> tasks = new ArrayList<>();
		while (tasks.size() < Math.min(max, 64) && !this.pending.isEmpty()) {
			tasks.add(task(this.pending.remove()));
		}
		return new Dequeued(tasks, this.pending.isEmpty(), null, this.pending.size(), false);
	}

	private void run(List<LeasedTask> tasks) {
		this.buffer.add(tasks);
		while (this.buffer.anyMayStart() && this.slots.take()) {
			this.taken.add(this.buffer.next().message().id());
			this.slots.started();
			this.ending.run();
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
