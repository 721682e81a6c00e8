package io.asynq.internal.worker;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

@Timeout(300)
class WorkerPoolTests {

	private static final int SIZE = 4;

	private final Queue<Runnable> foundWhenIdle = new ConcurrentLinkedQueue<>();

	private final Semaphore idle = new Semaphore(0);

	private final AtomicInteger taken = new AtomicInteger();

	private final WorkerThreads.Source source = new WorkerThreads.Source() {

		@Override
		public void look() {
			lookForWork();
		}

		@Override
		public boolean isWorthLooking() {
			return !WorkerPoolTests.this.foundWhenIdle.isEmpty();
		}

	};

	private final WorkerPool pool = new WorkerPool(SIZE, this.taken::incrementAndGet);

	@BeforeEach
	void start() {
		this.pool.start(this.source);
	}

	@AfterEach
	void stop() {
		this.pool.stop();
	}

	@Test
	void dependentTasksRunAtTheSameTime() throws Exception {
		for (int round = 0; round < 200; round++) {
			CyclicBarrier allRun = new CyclicBarrier(SIZE);
			CountDownLatch done = new CountDownLatch(SIZE);
			for (int i = 0; i < SIZE; i++) {
				this.pool.execute(() -> {
					meet(allRun);
					done.countDown();
				});
			}
			assertThat(done.await(60, TimeUnit.SECONDS)).as("round %d", round).isTrue();
		}
	}

	@Test
	void runsEveryTaskOnceFromAnyThread() throws Exception {
		int tasks = 20_000;
		AtomicInteger runs = new AtomicInteger();
		CountDownLatch done = new CountDownLatch(4 * tasks);
		for (int sender = 0; sender < 4; sender++) {
			new Thread(() -> {
				for (int i = 0; i < tasks; i++) {
					this.pool.execute(() -> {
						runs.incrementAndGet();
						done.countDown();
					});
				}
			}).start();
		}
		assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(runs).hasValue(4 * tasks);
		assertThat(this.taken).hasValue(4 * tasks);
	}

	@Test
	void neverExceedsItsSize() throws Exception {
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		CountDownLatch done = new CountDownLatch(1000);
		for (int i = 0; i < 1000; i++) {
			this.pool.execute(() -> {
				threads.add(Thread.currentThread());
				done.countDown();
			});
		}
		assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(threads).hasSizeBetween(1, SIZE);
	}

	@Test
	void errorOrInterruptEndsNoThread() throws Exception {
		Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
		for (int i = 0; i < SIZE; i++) {
			this.pool.execute(() -> {
				Thread.currentThread().setUncaughtExceptionHandler((thread, ex) -> uncaught.add(ex));
				Thread.currentThread().interrupt();
				throw new IllegalStateException("handler");
			});
		}
		await().until(() -> uncaught.size() == SIZE);
		CountDownLatch done = new CountDownLatch(1);
		this.pool.execute(done::countDown);
		assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void idleThreadRunsWhatItFetches() throws Exception {
		CountDownLatch found = new CountDownLatch(1);
		this.foundWhenIdle.add(() -> this.pool.execute(found::countDown));
		this.pool.execute(() -> {
		});
		assertThat(found.await(60, TimeUnit.SECONDS)).isTrue();
	}

	/**
	 * No slot is offered while a thread starts, so the arrival is left to that thread.
	 */
	@Test
	void arrivalDuringFirstThreadStartIsFetchedWhileThatThreadIsBusy() throws Exception {
		CountDownLatch found = new CountDownLatch(1);
		WorkerPool growing = new WorkerPool(SIZE, () -> {
			if (this.taken.incrementAndGet() == 1) {
				this.foundWhenIdle.add(found::countDown);
			}
		});
		growing.start(this.source);
		CompletableFuture<Boolean> handler = new CompletableFuture<>();
		growing.execute(() -> handler.complete(isDone(found)));
		assertThat(handler.get(20, TimeUnit.SECONDS)).as("found while the handler ran").isTrue();
		growing.stop();
	}

	/** An attempt may end in another thread, which does not fetch the next task. */
	@Test
	void freedSlotIsFilledWhileAllThreadsAreBusyOrAsleep() throws Exception {
		CountDownLatch found = new CountDownLatch(1);
		CompletableFuture<Boolean> handler = new CompletableFuture<>();
		this.pool.execute(() -> handler.complete(isDone(found)));
		await().until(() -> this.taken.get() == 1);
		this.foundWhenIdle.add(found::countDown);
		this.pool.freed();
		assertThat(handler.get(20, TimeUnit.SECONDS)).as("found while the handler ran").isTrue();
	}

	@Test
	void failedFetchDoesNotEndThread() throws Exception {
		this.foundWhenIdle.add(() -> {
			Thread.currentThread().setUncaughtExceptionHandler((thread, ex) -> {
			});
			throw new IllegalStateException("Redis");
		});
		this.pool.execute(() -> {
		});
		this.idle.acquire();
		CountDownLatch done = new CountDownLatch(1);
		this.pool.execute(done::countDown);
		assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void rejectsTasksBeforeStartAndAfterStop() {
		this.pool.stop();
		assertThatIllegalStateException().isThrownBy(() -> this.pool.execute(() -> {
		}));
	}

	@Test
	void restartsAndThreadsEndAtStop() throws Exception {
		this.pool.stop();
		this.pool.start(this.source);
		Queue<Thread> threads = new ConcurrentLinkedQueue<>();
		CountDownLatch done = new CountDownLatch(1);
		this.pool.execute(() -> {
			threads.add(Thread.currentThread());
			done.countDown();
		});
		assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
		this.pool.stop();
		threads.element().join(10_000);
		assertThat(threads.element().isAlive()).isFalse();
	}

	private void lookForWork() {
		this.idle.release();
		Runnable look = this.foundWhenIdle.poll();
		if (look != null) {
			look.run();
		}
	}

	private static boolean isDone(CountDownLatch latch) {
		try {
			return latch.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void meet(CyclicBarrier barrier) {
		try {
			barrier.await(60, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
