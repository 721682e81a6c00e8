package io.asynq.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.asynq.ClientOptions;
import io.asynq.EnqueueInterceptor;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.internal.event.EndedObservations;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.schedule.DefaultAsynqScheduler;
import io.asynq.test.FakeBroker;
import io.asynq.test.MutableClock;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A scheduler without a store, with a clock set by the test.
 */
final class SchedulerFixture implements AutoCloseable {

	static final Instant START = Instant.parse("2024-05-01T10:00:00.25Z");

	final MutableClock clock = new MutableClock(START);

	final FakeBroker broker = new FakeBroker();

	final EndedObservations recorded = new EndedObservations();

	final List<String> told = new CopyOnWriteArrayList<>();

	/** Sees tasks before they are stored. */
	volatile EnqueueInterceptor interceptor = (task) -> {
	};

	final DefaultAsynqScheduler scheduler;

	SchedulerFixture(SchedulerListener... listeners) {
		this((options) -> options, listeners);
	}

	SchedulerFixture(UnaryOperator<SchedulerOptions.Builder> options, SchedulerListener... listeners) {
		List<SchedulerListener> all = new ArrayList<>(List.of(listeners));
		all.add(new Teller());
		this.scheduler = (DefaultAsynqScheduler) this.broker.scheduler(
				ClientOptions.builder()
					.clock(this.clock)
					.maxPayloadSize(100)
					.interceptor((task) -> this.interceptor.beforeEnqueue(task))
					.build(),
				new Observers(TaskEvents.none(), this.recorded), null,
				options.apply(SchedulerOptions.builder().clock(this.clock)).build(), all);
	}

	/**
	 * Advances the clock and waits until the scheduler has read it.
	 */
	void advance(Duration by) {
		this.clock.advance(by);
		this.scheduler.wake();
		await().until(() -> this.scheduler.entries()
			.stream()
			.allMatch((entry) -> entry.next() == null || entry.next().isAfter(this.clock.instant())));
	}

	void awaitTold(String... told) {
		await().until(() -> this.told.equals(List.of(told)) || this.told.size() > told.length);
		assertThat(this.told).containsExactly(told);
	}

	@Override
	public void close() {
		this.scheduler.stop();
	}

	private final class Teller implements SchedulerListener {

		@Override
		public void beforeEnqueue(String entryId, Task task, TaskOptions options) {
			SchedulerFixture.this.told.add("before " + entryId + " " + task.type());
		}

		@Override
		public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
			SchedulerFixture.this.told
				.add("after " + entryId + " " + ((info != null) ? info.queue() : error.getClass().getSimpleName()));
		}

	}

}
