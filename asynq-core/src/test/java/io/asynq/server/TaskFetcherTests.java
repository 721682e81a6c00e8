package io.asynq.server;

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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Dequeued;
import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.QueueWeights;
import io.asynq.broker.TaskMessage;
import io.asynq.lifecycle.LoopErrorLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class TaskFetcherTests {

	private final Set<String> away = new HashSet<>(Set.of("a"));

	private final List<String> asked = new CopyOnWriteArrayList<>();

	private final List<String> taken = new ArrayList<>();

	private final AtomicLong nanos = new AtomicLong();

	private final List<String> late = new CopyOnWriteArrayList<>();

	private volatile boolean hanging;

	private final CountDownLatch hang = new CountDownLatch(1);

	private final TestLanes cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"));

	private BooleanSupplier turn = () -> true;

	private final PostponeBudget budget = new PostponeBudget(this.nanos::get, this::takeTurn);

	@AfterEach
	void end() {
		this.hang.countDown();
		this.cluster.close();
	}

	@Test
	void aQueueWhoseNodeIsAwayRestsWhileTheOthersGive() {
		TaskFetcher fetcher = fetcher(true);
		fetch(fetcher);
		assertThat(this.taken).contains("b").doesNotContain("a");
		assertThat(fetcher.readiness().marked()).as("queues that a thread would look at again").isEmpty();
		assertThat(fetcher.anyResting()).isTrue();
		assertThat(fetcher.markRested()).isPositive();
		this.asked.clear();
		fetch(fetcher);
		assertThat(this.asked).isEmpty();
	}

	@Test
	void aNodeThatHangsIsNotWaitedForAndWhatItGivesLateIsNotLost() {
		this.away.clear();
		this.hanging = true;
		TaskFetcher fetcher = fetcher(true);
		AtomicInteger woken = new AtomicInteger();
		fetcher.onRestEnded(woken::incrementAndGet);
		fetch(fetcher);
		fetcher.readiness().markAll();
		fetch(fetcher);
		assertThat(this.taken).containsExactly("b", "b");
		assertThat(this.asked).containsExactlyInAnyOrder("a", "b", "b");
		this.hang.countDown();
		await().until(() -> !this.late.isEmpty());
		assertThat(this.late).containsExactly("a");
		assertThat(woken).hasValue(1);
		assertThat(fetcher.markRested()).isZero();
		assertThat(fetcher.readiness().marked()).contains("a");
	}

	@Test
	void aQueueThatHasRestedIsAskedAgain() {
		TaskFetcher fetcher = fetcher(true);
		fetch(fetcher);
		this.away.clear();
		await().until(() -> fetcher.markRested() == 0);
		fetch(fetcher);
		assertThat(this.taken).contains("a");
		assertThat(fetcher.anyResting()).isFalse();
	}

	@Test
	void aQueueThatIsRefusedRestsToo() {
		TaskFetcher fetcher = new TaskFetcher((queue, max) -> {
			this.asked.add(queue);
			throw new BrokerException("refused", null);
		}, new QueueWeights(Map.of("a", 1), false), this.budget, TestLanes.single().lanes(), new LoopErrorLog());
		fetch(fetcher);
		assertThat(fetcher.readiness().anyUnwatched()).as("would be watched, and found to have tasks").isFalse();
		fetcher.readiness().markAll();
		fetch(fetcher);
		assertThat(this.asked).hasSize(1);
		assertThat(fetcher.readiness().marked()).isEmpty();
	}

	@Test
	void aSingleRedisThatIsAwayEndsTheFetch() {
		TaskFetcher fetcher = fetcher(false);
		this.away.add("b");
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> fetch(fetcher));
		assertThat(this.asked).hasSize(1);
		assertThat(fetcher.readiness().marked()).containsExactlyInAnyOrder("a", "b");
	}

	@Test
	void aQueueOverItsBudgetIsLeftAloneWhileTheOthersGiveAndAskedAgainLater() {
		this.away.clear();
		TaskFetcher fetcher = fetcher(false);
		this.budget.postponed("a", "type", Duration.ofSeconds(1));
		this.budget.taken("a", this.budget.limit("a"));
		fetch(fetcher);
		assertThat(this.asked).containsExactly("b");
		assertThat(fetcher.readiness().marked()).isEmpty();
		assertThat(fetcher.markRested()).isEqualTo(TimeUnit.SECONDS.toNanos(2));
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
		assertThat(fetcher.markRested()).as("a pause before it is asked").isZero();
		assertThat(fetcher.markRested()).isEqualTo(Long.MAX_VALUE);
		fetch(fetcher);
		assertThat(this.asked).containsExactly("b", "a");
	}

	@Test
	void aQueueThatIsAnothersTurnRestsWhileTheOthersGive() {
		this.away.clear();
		TaskFetcher fetcher = fetcher(false);
		this.turn = () -> false;
		exhaustBudget();
		fetch(fetcher);
		assertThat(this.asked).containsExactly("b");
		assertThat(fetcher.readiness().marked()).isEmpty();
		assertThat(fetcher.markRested()).isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.MILLISECONDS.toNanos(2500));
		this.nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2500));
		this.turn = () -> true;
		assertThat(fetcher.markRested()).isZero();
		fetch(fetcher);
		assertThat(this.asked).containsExactly("b", "a");
	}

	@Test
	void aQueueWhoseTurnCannotBeAskedForRestsWhileTheOthersGive() {
		this.away.clear();
		TaskFetcher fetcher = fetcher(true);
		this.turn = () -> {
			throw new BrokerUnavailableException("away", null);
		};
		exhaustBudget();
		fetch(fetcher);
		assertThat(this.asked).containsExactly("b");
		assertThat(fetcher.readiness().marked()).isEmpty();
		assertThat(fetcher.anyResting()).isTrue();
	}

	@Test
	void aTurnThatASingleRedisCannotGiveEndsTheFetch() {
		this.away.clear();
		TaskFetcher fetcher = fetcher(false);
		this.turn = () -> {
			throw new BrokerUnavailableException("away", null);
		};
		exhaustBudget();
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> fetch(fetcher));
		assertThat(this.asked).doesNotContain("a");
		assertThat(fetcher.readiness().marked()).contains("a");
	}

	@Test
	void aTokenThatBecomesFreeEndsTheRestAtOnce() {
		this.away.clear();
		TaskFetcher fetcher = fetcher(false);
		this.budget.postponed("a", "type", Duration.ofSeconds(1));
		this.budget.taken("a", this.budget.limit("a"));
		fetch(fetcher);
		AtomicInteger ended = new AtomicInteger();
		fetcher.onRestEnded(ended::incrementAndGet);
		this.budget.worked("a", "type");
		assertThat(fetcher.readiness().marked()).containsExactly("a");
		assertThat(ended).hasValue(1);
	}

	@Test
	void whatIsWorkedOnWhileNoQueueRestsWakesNobody() {
		this.away.clear();
		TaskFetcher fetcher = fetcher(false);
		AtomicInteger ended = new AtomicInteger();
		fetcher.onRestEnded(ended::incrementAndGet);
		this.budget.postponed("a", "type", Duration.ofSeconds(1));
		fetch(fetcher);
		this.budget.worked("a", "type");
		assertThat(ended).hasValue(0);
	}

	/** So that only time has brought in what queue a may give. */
	private void exhaustBudget() {
		this.budget.postponed("a", "type", Duration.ofSeconds(1));
		this.budget.taken("a", this.budget.limit("a"));
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
	}

	private boolean takeTurn(String queue, Duration length) {
		return this.turn.getAsBoolean();
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
		fetcher.fetch(4, (queue, tasks) -> tasks.forEach((task) -> this.taken.add(queue)),
				(queue, tasks) -> tasks.forEach((task) -> this.late.add(queue)));
	}

	private TaskFetcher fetcher(boolean partitioned) {
		return new TaskFetcher(this::dequeue, new QueueWeights(Map.of("a", 1, "b", 1), false), this.budget,
				(partitioned ? this.cluster : TestLanes.single()).lanes(), new LoopErrorLog());
	}

	private Dequeued dequeue(String queue, int max) {
		this.asked.add(queue);
		if (this.hanging && queue.equals("a")) {
			hang();
		}
		if (this.away.contains(queue)) {
			throw new BrokerUnavailableException("away", null);
		}
		TaskMessage message = TaskMessage.builder("type", "id", queue).build();
		return new Dequeued(List
			.of(new LeasedTask(message, new Lease(queue, "id", "", System.nanoTime() + Duration.ofHours(1).toNanos()))),
				true);
	}

}
