package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.QueueWeights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Pool, slots and intake together, without a processor that would help out.
 */
@Timeout(300)
class WorkersFillTests {

	private static final int CONCURRENCY = 4;

	private static final int TASKS = CONCURRENCY * 3000;

	private final CyclicBarrier allRun = new CyclicBarrier(CONCURRENCY);

	private final CountDownLatch done = new CountDownLatch(TASKS);

	private final AtomicInteger pending = new AtomicInteger(TASKS);

	private final Slots slots = new Slots(CONCURRENCY, () -> {
	});

	private final TaskFetcher fetcher = TestFetchers.of("default", this::dequeue);

	private final Intake intake = new Intake(this.fetcher, this.slots,
			new PrefetchBuffer(new QueueWeights(Map.of(), false), () -> {
			}), TestFetchers.nothingAhead(), new TestSink((tasks) -> tasks.forEach(this::run)), () -> {
			});

	private final WorkerPool pool = new WorkerPool(CONCURRENCY, this.slots::started);

	/**
	 * One empty slot stops everything: each task waits until all slots are filled.
	 */
	@Test
	void everyFreeSlotIsFilledWhileTasksArePending() throws Exception {
		this.pool.start(new WorkerThreads.Source() {

			@Override
			public void look() {
				boolean leftOff = true;
				while (leftOff) {
					leftOff = WorkersFillTests.this.intake.fetchForWorker();
				}
			}

			@Override
			public boolean isWorthLooking() {
				return WorkersFillTests.this.intake.isUnattended();
			}

		});
		this.intake.open();
		this.intake.fetch();
		boolean all = this.done.await(60, TimeUnit.SECONDS);
		this.pool.stop();
		assertThat(all).as("%d tasks are left", this.done.getCount()).isTrue();
		// None was kept, none released twice
		await().untilAsserted(() -> assertThat(this.slots.offered()).isEqualTo(CONCURRENCY));
	}

	private Dequeued dequeue(String queue, int max) {
		List<LeasedTask> tasks = new ArrayList<>();
		while (tasks.size() < max && this.pending.get() > 0) {
			String id = String.valueOf(this.pending.getAndDecrement());
			tasks.add(new LeasedTask(TaskMessage.builder("type", id, "default").build(),
					new Lease("default", id, "", System.nanoTime() + Duration.ofHours(1).toNanos())));
		}
		return new Dequeued(tasks, tasks.size() < max);
	}

	private void run(LeasedTask task) {
		this.slots.take();
		this.pool.execute(() -> {
			try {
				this.allRun.await(60, TimeUnit.SECONDS);
				this.done.countDown();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			finally {
				this.slots.release();
			}
		});
	}

}
