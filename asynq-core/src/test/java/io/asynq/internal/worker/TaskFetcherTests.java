package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.TestLanes;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.QueueWeights;
import io.asynq.server.TaskWaitListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class TaskFetcherTests {

	private final Set<String> away = new HashSet<>(Set.of("a"));

	private final Set<String> refused = new HashSet<>();

	private final List<String> asked = new CopyOnWriteArrayList<>();

	private final List<List<QueueShare>> together = new ArrayList<>();

	private final List<String> taken = new ArrayList<>();

	private final List<String> late = new CopyOnWriteArrayList<>();

	private volatile boolean hanging;

	private final CountDownLatch hang = new CountDownLatch(1);

	private TestLanes cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"));

	private final QueueReadiness readiness = new QueueReadiness(List.of("a", "b"));

	private final AtomicInteger woken = new AtomicInteger();

	private final ActiveTasks active = new ActiveTasks();

	private final ServerCounters counters = new ServerCounters(List.of());

	private final List<String> waited = new ArrayList<>();

	private TaskWaitListener waits = (queue, wait) -> this.waited.add(queue + " " + wait);

	@AfterEach
	void end() {
		this.hang.countDown();
		this.cluster.close();
	}

	@Test
	void queueOfUnreachableNodePausesWhileOthersAreFetched() {
		TaskFetcher fetcher = fetcher(true);
		fetch(fetcher);
		assertThat(this.taken).contains("b").doesNotContain("a");
		assertThat(fetcher.readiness().marked()).as("queues that a thread would look at again").isEmpty();
		assertThat(fetcher.readiness().isAnyResting()).isTrue();
		assertThat(fetcher.readiness().markRested()).isPositive();
		this.asked.clear();
		fetch(fetcher);
		assertThat(this.asked).isEmpty();
	}

	@Test
	void hangingNodeIsNotAwaitedAndItsLateTasksAreKept() {
		this.away.clear();
		this.hanging = true;
		this.cluster.close();
		this.cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"), TestLanes.HANGING);
		TaskFetcher fetcher = fetcher(true);
		fetch(fetcher);
		fetcher.readiness().markAll();
		fetch(fetcher);
		assertThat(this.taken).containsExactly("b", "b");
		assertThat(this.asked).containsExactlyInAnyOrder("a", "b", "b");
		this.hang.countDown();
		await().until(() -> !this.late.isEmpty());
		assertThat(this.late).containsExactly("a");
		assertThat(this.woken).hasValue(1);
		assertThat(fetcher.readiness().markRested()).isZero();
		assertThat(fetcher.readiness().marked()).contains("a");
	}

	@Test
	void lostTasksOfHangingNodeDelayNoneOfOthers() {
		List<String> givenBack = new CopyOnWriteArrayList<>();
		TaskDequeuer dequeuer = new TaskDequeuer() {

			@Override
			public Dequeued dequeue(String queue, int max) {
				throw new BrokerException("not asked", null);
			}

			@Override
			public Set<String> giveBackLost(Predicate<String> queues) {
				List.of("a", "b").stream().filter(queues).forEach((queue) -> {
					if (queue.equals("a")) {
						await().until(() -> TaskFetcherTests.this.hang.getCount() == 0);
					}
					givenBack.add(queue);
				});
				return Set.of();
			}

		};
		this.cluster.close();
		this.cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"), TestLanes.HANGING);
		TaskFetcher fetcher = fetcher(dequeuer, selector("a", "b"), this.readiness, this.cluster.lanes());
		fetcher.giveBackLost();
		assertThat(givenBack).containsExactly("b");
	}

	@Test
	void pausedQueueIsFetchedAgain() {
		TaskFetcher fetcher = fetcher(true);
		fetch(fetcher);
		this.away.clear();
		await().until(() -> fetcher.readiness().markRested() == 0);
		fetch(fetcher);
		assertThat(this.taken).contains("a");
		assertThat(fetcher.readiness().isAnyResting()).isFalse();
	}

	@Test
	void refusedQueuePauses() {
		TaskFetcher fetcher = fetcher((queue, max) -> {
			this.asked.add(queue);
			throw new BrokerException("refused", null);
		}, selector("a"), new QueueReadiness(List.of("a")), TestLanes.single().lanes());
		fetch(fetcher);
		assertThat(fetcher.readiness().unwatched()).as("would be watched, but has tasks").isEmpty();
		fetcher.readiness().markAll();
		fetch(fetcher);
		assertThat(this.asked).hasSize(1);
		assertThat(fetcher.readiness().marked()).isEmpty();
	}

	@Test
	void queueThatRestsIsAskedAgainOnceItHasAnotherMaster() {
		TaskFetcher fetcher = fetcher((queue, max) -> {
			this.asked.add(queue);
			throw new BrokerException("refused", null);
		}, selector("a"), new QueueReadiness(List.of("a")), TestLanes.single().lanes());
		fetch(fetcher);
		fetcher.readiness().renew(List.of("a"));
		fetch(fetcher);
		assertThat(this.asked).hasSize(2);
		fetcher.readiness().markAll();
		fetch(fetcher);
		assertThat(this.asked).as("rests again").hasSize(2);
	}

	@Test
	void unreachableSingleRedisEndsFetch() {
		TaskFetcher fetcher = fetcher(false);
		this.away.add("b");
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> fetch(fetcher));
		assertThat(this.asked).hasSize(1);
		assertThat(fetcher.readiness().marked()).containsExactlyInAnyOrder("a", "b");
	}

	@Test
	void queuesOfASingleRedisAreAskedTogether() {
		this.away.clear();
		fetch(fetcher(false));
		assertThat(this.together).hasSize(1);
		assertThat(this.together.get(0)).extracting(QueueShare::queue).containsExactlyInAnyOrder("a", "b");
		assertThat(this.taken).containsExactlyInAnyOrder("a", "b");
	}

	@Test
	void queuesOfAClusterAreAskedOneByOne() {
		this.away.clear();
		fetch(fetcher(true));
		assertThat(this.together).isEmpty();
		assertThat(this.asked).containsExactlyInAnyOrder("a", "b");
	}

	@Test
	void refusedQueueAmongSeveralPausesAlone() {
		this.away.clear();
		this.refused.add("a");
		TaskFetcher fetcher = fetcher(false);
		fetch(fetcher);
		assertThat(this.taken).containsExactly("b");
		assertThat(fetcher.readiness().isAnyResting()).isTrue();
		assertThat(fetcher.readiness().marked()).isEmpty();
		fetcher.readiness().markAll();
		fetch(fetcher);
		assertThat(this.asked).containsOnlyOnce("a").contains("b");
	}

	@Test
	void queueThatWasNotReachedIsFetchedNext() {
		this.away.clear();
		TaskFetcher fetcher = fetcher(false);
		fetch(fetcher, 1);
		assertThat(this.taken).hasSize(1);
		String other = this.taken.contains("a") ? "b" : "a";
		assertThat(fetcher.readiness().marked()).containsExactly(other);
	}

	@Test
	void tasksOfOtherQueuesGetWorkersWhenThoseOfOneCannot() {
		this.away.clear();
		List<String> offered = new ArrayList<>();
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> fetcher(false).fetch(4, 0, (tasks) -> offer(tasks, offered), this::acceptLate));
		assertThat(offered).containsExactlyInAnyOrder("a", "b");
	}

	@Test
	void queueThatReturnsWithBrokenEntriesOnlyDoesNotDelayTheOthers() {
		QueueSelector selector = new QueueSelector(new QueueWeights(Map.of("a", 1, "b", 1), false), (queue) -> 0);
		selector.absent("a");
		TaskFetcher fetcher = fetcher((queue, max) -> {
			this.asked.add(queue);
			assertThat(this.asked).as("asks it again and again").hasSizeLessThan(10);
			return queue.equals("a") ? new Dequeued(List.of(), false, null, 9999, false)
					: new Dequeued(List.of(task(queue)), false, null, 9999, false);
		}, selector, this.readiness, this.cluster.lanes());
		fetch(fetcher, 1);
		assertThat(this.taken).containsExactly("b");
		assertThat(this.asked).containsExactly("a", "b");
	}

	private void hang() {
		try {
			assertThat(this.hang.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void fetch(TaskFetcher fetcher) {
		fetch(fetcher, 4);
	}

	private void fetch(TaskFetcher fetcher, int workers) {
		fetcher.fetch(workers, 0, (tasks) -> tasks.forEach((task) -> this.taken.add(task.message().queue())),
				this::acceptLate);
	}

	private void acceptLate(List<LeasedTask> tasks) {
		tasks.forEach((task) -> this.late.add(task.message().queue()));
	}

	private static void offer(List<LeasedTask> tasks, List<String> offered) {
		tasks.forEach((task) -> offered.add(task.message().queue()));
		throw new OutOfMemoryError("planted");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callThatFailsIsCounted(boolean together) {
		BrokerUnavailableException away = new BrokerUnavailableException("away", null);
		TaskFetcher fetcher = single((queue, max) -> {
			throw away;
		}, together ? List.of("a", "b") : List.of("a"));
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> fetch(fetcher)).isSameAs(away);
		assertThat(this.counters.dequeuesFailed.sum()).isOne();
	}

	@Test
	void callForSeveralQueuesThatFailsIsCountedOnce() {
		BrokerUnavailableException away = new BrokerUnavailableException("away", null);
		TaskFetcher fetcher = single(new TaskDequeuer() {

			@Override
			public Dequeued dequeue(String queue, int max) {
				throw new AssertionError("not one by one");
			}

			@Override
			public List<Answer> dequeue(List<QueueShare> shares, int max, int ahead) {
				throw away;
			}

		}, List.of("a", "b"));
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> fetch(fetcher)).isSameAs(away);
		assertThat(this.counters.dequeuesFailed.sum()).isOne();
	}

	@Test
	void answerIsNotCountedAndNobodyIsToldOfAWaitThatIsNotKnown() {
		fetch(single((queue, max) -> new Dequeued(List.of(), true), List.of("a")));
		assertThat(this.counters.dequeuesFailed.sum()).isZero();
		assertThat(this.waited).isEmpty();
	}

	@Test
	void listenerIsToldHowLongTheFirstTaskHasWaited() {
		fetch(single((queue, max) -> new Dequeued(List.of(), true, Duration.ofSeconds(1)), List.of("a")));
		assertThat(this.waited).containsExactly("a PT1S");
	}

	@Test
	void queuesOfOneCallAreCountedAndToldByThemselves() {
		fetch(single((queue, max) -> {
			if (queue.equals("a")) {
				throw new BrokerException("refused", null);
			}
			return new Dequeued(List.of(), true, Duration.ofSeconds(1));
		}, List.of("a", "b")));
		assertThat(this.counters.dequeuesFailed.sum()).isOne();
		assertThat(this.waited).containsExactly("b PT1S");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void listenerThatThrowsKeepsNoTaskFromItsWorker(boolean together) {
		this.waits = (queue, wait) -> {
			throw new AssertionError("planted");
		};
		LeasedTask task = task("a");
		fetch(single((queue, max) -> new Dequeued(queue.equals("a") ? List.of(task) : List.of(), true, Duration.ZERO),
				together ? List.of("a", "b") : List.of("a")));
		assertThat(this.counters.dequeuesFailed.sum()).isZero();
		assertThat(this.active.taken()).containsExactly(task);
		assertThat(this.taken).containsExactly("a");
	}

	private TaskFetcher single(TaskDequeuer dequeuer, List<String> queues) {
		return fetcher(dequeuer, selector(queues.toArray(String[]::new)), new QueueReadiness(queues),
				TestLanes.single().lanes());
	}

	private TaskFetcher fetcher(TaskDequeuer dequeuer, QueueSelector selector, QueueReadiness readiness, Lanes lanes) {
		return new TaskFetcher(dequeuer, selector, readiness, this.active, this.counters, this.waits, lanes,
				this.woken::incrementAndGet);
	}

	private static QueueSelector selector(String... queues) {
		Map<String, Integer> weights = Stream.of(queues).collect(Collectors.toMap((queue) -> queue, (queue) -> 1));
		return new QueueSelector(new QueueWeights(weights, false), (queue) -> 0);
	}

	private TaskFetcher fetcher(boolean partitioned) {
		TaskDequeuer dequeuer = new TaskDequeuer() {

			@Override
			public Dequeued dequeue(String queue, int max) {
				return TaskFetcherTests.this.dequeue(queue, max);
			}

			@Override
			public List<Answer> dequeue(List<QueueShare> shares, int max, int ahead) {
				TaskFetcherTests.this.together.add(shares);
				return TaskDequeuer.super.dequeue(shares, max, ahead);
			}

		};
		return fetcher(dequeuer, selector("a", "b"), this.readiness,
				(partitioned ? this.cluster : TestLanes.single()).lanes());
	}

	private Dequeued dequeue(String queue, int max) {
		this.asked.add(queue);
		if (this.hanging && queue.equals("a")) {
			hang();
		}
		if (this.away.contains(queue)) {
			throw new BrokerUnavailableException("away", null);
		}
		if (this.refused.contains(queue)) {
			throw new BrokerException("refused", null);
		}
		return new Dequeued(List.of(task(queue)), true);
	}

	private static LeasedTask task(String queue) {
		TaskMessage message = TaskMessage.builder("type", "id", queue).build();
		return new LeasedTask(message, new Lease(queue, "id", "", System.nanoTime() + Duration.ofHours(1).toNanos()));
	}

}
