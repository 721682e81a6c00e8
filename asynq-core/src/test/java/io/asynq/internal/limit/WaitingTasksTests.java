package io.asynq.internal.limit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.TestLanes;
import io.asynq.internal.limit.LimitTurns.Taken;
import io.asynq.internal.limit.LimitTurns.Turn;
import io.asynq.internal.worker.LimitClass;
import io.asynq.test.FakeLimitStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class WaitingTasksTests {

	private static final Turn A = new Turn(LimitClass.of("a", List.of("pdf")), 1, "1");

	private static final Turn B = new Turn(LimitClass.of("b", List.of("pdf")), 1, "1");

	private final TestLanes lanes = TestLanes.of(Map.of("a", "n1", "b", "n2"), Duration.ofMillis(500));

	private final Set<String> pending = ConcurrentHashMap.newKeySet();

	private final CountDownLatch answers = new CountDownLatch(1);

	@AfterEach
	void end() {
		this.answers.countDown();
		this.lanes.close();
	}

	@Test
	void masterThatHangsIsWaitedForOnceAndItsQueueRests() throws InterruptedException {
		Store store = new Store((queue) -> {
			if (queue.equals("a")) {
				this.answers.await();
			}
		});
		WaitingTasks tasks = tasks(store);
		tasks.wake(new LimitTurns(List.of(A, B), null));
		assertThat(this.pending).containsExactly("b");
		assertThat(store.givenBack).containsExactly(new Taken(A, 0, true, Long.MAX_VALUE));
		long start = System.nanoTime();
		for (int i = 0; i < 20; i++) {
			tasks.wake(new LimitTurns(List.of(A, B), null));
		}
		assertThat(System.nanoTime() - start).as("nanoseconds of twenty turns").isLessThan(5_000_000_000L);
		assertThat(store.givenBack).hasSize(21);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void queueThatCannotBeWokenRestsAndOthersGoOn(boolean unavailable) {
		Store store = new Store((queue) -> {
			if (queue.equals("a")) {
				throw unavailable ? new BrokerUnavailableException("away", null) : new BrokerException("broken", null);
			}
		});
		tasks(store).wake(new LimitTurns(List.of(A, B), null));
		assertThat(this.pending).containsExactly("b");
		assertThat(store.givenBack).containsExactly(new Taken(A, 0, true, Long.MAX_VALUE));
	}

	@Test
	void allRestIfNoneCanBeReached() {
		Store store = new Store((queue) -> {
			throw new BrokerUnavailableException("away", null);
		});
		tasks(store).wake(new LimitTurns(List.of(A, B), null));
		assertThat(store.givenBack).extracting(Taken::rests).containsExactly(true, true);
	}

	private WaitingTasks tasks(Store store) {
		return new WaitingTasks(store, new QueueRound("limits", this.lanes.lanes()), this.pending::add);
	}

	/** Wakes tasks once it may. */
	private static final class Store extends FakeLimitStore {

		private final Call call;

		Store(Call call) {
			this.call = call;
		}

		@Override
		public List<Taken> wake(String queue, List<Turn> turns) {
			try {
				this.call.before(queue);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return super.wake(queue, turns);
		}

		interface Call {

			void before(String queue) throws InterruptedException;

		}

	}

}
