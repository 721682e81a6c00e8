package io.asynq.internal.schedule;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.schedule.SchedulerListener;
import io.asynq.schedule.SchedulerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** What the fires of one scheduler share. */
final class Scheduling {

	private static final Logger logger = OneLineLogger.of(Scheduling.class);

	final DefaultAsynqClient client;

	/** None for tests, whose scheduler only fires by hand. */
	final @Nullable SchedulerStore store;

	final SchedulerOptions options;

	/** Of all entries. */
	final Set<String> queues = ConcurrentHashMap.newKeySet();

	final LoopErrorLog errors = new LoopErrorLog();

	final Lanes lanes;

	final @Nullable History history;

	private final List<SchedulerListener> listeners;

	Scheduling(DefaultAsynqClient client, @Nullable SchedulerStore store, BooleanSupplier partitioned,
			Function<Collection<String>, Map<String, String>> masters, SchedulerOptions options,
			List<SchedulerListener> listeners) {
		this.client = client;
		this.store = store;
		this.options = options;
		this.lanes = new Lanes(this.queues, partitioned, masters, this.errors);
		this.history = (store != null) ? new History(store, this.lanes) : null;
		this.listeners = List.copyOf(listeners);
	}

	Instant now() {
		return this.options.clock().instant();
	}

	void record(Entry entry, TaskInfo task) {
		if (this.history != null) {
			this.history.record(entry, task, now());
		}
	}

	void beforeEnqueue(String entryId, Task task, TaskOptions options) {
		each(entryId, (listener) -> listener.beforeEnqueue(entryId, task, options));
	}

	void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
		each(entryId, (listener) -> listener.afterEnqueue(entryId, info, error));
	}

	/** An exception of one listener affects neither the others nor the fire. */
	private void each(String entryId, Consumer<SchedulerListener> call) {
		for (SchedulerListener listener : this.listeners) {
			UserCode.run(() -> call.accept(listener),
					(shown) -> logger.warn("Periodic task '{}': listener {} failed, which does not affect the task",
							entryId, listener.getClass().getName(), shown));
		}
	}

	/**
	 * On a cluster a history lies on any master, whatever queue its entry has, so one
	 * thread writes all of them and no fire waits for it.
	 */
	static final class History {

		/**
		 * Some minutes of a fire per second and entry; the latest are left out beyond.
		 */
		private static final int MOST_WAITING = 10_000;

		private final SchedulerStore store;

		private final Lanes lanes;

		private final ThreadPoolExecutor thread;

		History(SchedulerStore store, Lanes lanes) {
			this.store = store;
			this.lanes = lanes;
			CustomizableThreadFactory factory = new CustomizableThreadFactory("asynq-scheduler-history-");
			factory.setDaemon(true);
			this.thread = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING),
					factory);
			this.thread.allowCoreThreadTimeOut(true);
		}

		void record(Entry entry, TaskInfo task, Instant at) {
			if (!this.lanes.areSeveral()) {
				write(entry, task, at);
				return;
			}
			try {
				this.thread.execute(() -> {
					// Else its history may be deleted by now
					if (!entry.isRemoved()) {
						write(entry, task, at);
					}
				});
			}
			catch (RejectedExecutionException ex) {
				logger.debug("{}: task {} is enqueued, but missing in the history: {} others wait", entry, task.id(),
						MOST_WAITING);
			}
		}

		void await() {
			if (this.thread.getActiveCount() == 0 && this.thread.getQueue().isEmpty()) {
				return;
			}
			CountDownLatch written = new CountDownLatch(1);
			try {
				this.thread.execute(written::countDown);
				written.await();
			}
			catch (RejectedExecutionException ex) {
				logger.debug("Too much waits to be written", ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		private void write(Entry entry, TaskInfo task, Instant at) {
			try {
				this.store.recordEnqueued(entry.id(), task.id(), at);
			}
			catch (AsynqException ex) {
				logger.warn("{}: task {} is enqueued, but missing in the history: {}", entry, task.id(),
						ex.getMessage());
			}
		}

	}

}
