package io.asynq.internal.schedule;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqException;
import io.asynq.ClientOptions;
import io.asynq.TaskInfo;
import io.asynq.internal.broker.Broker;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.schedule.SchedulerOptions;
import org.slf4j.Logger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

public record Scheduling(FireClient client, SchedulerStore store, History history, Set<String> queues, Lanes lanes,
		SchedulerOptions options, SchedulerListeners listeners, LoopErrorLog errors) {

	public static Scheduling create(Broker broker, ClientOptions client, SchedulerOptions options,
			SchedulerListeners listeners) {
		LoopErrorLog errors = new LoopErrorLog();
		Set<String> queues = ConcurrentHashMap.newKeySet();
		Lanes lanes = new Lanes(queues, () -> broker.servers().isPartitioned(),
				(chosen) -> broker.servers().masters(chosen), errors);
		return new Scheduling(new FireClient(broker.enqueuer(), broker.schedulers(), broker.queues(), client),
				broker.schedulers(), new History(broker.schedulers(), lanes), queues, lanes, options, listeners,
				errors);
	}

	Instant now() {
		return this.options.clock().instant();
	}

	void record(Entry entry, TaskInfo task) {
		this.history.record(entry, task, now());
	}

	/**
	 * On a cluster a history lies on any master, whatever queue its entry has, so one
	 * thread writes all of them and no fire waits for it.
	 */
	static final class History {

		private static final Logger logger = OneLineLogger.of(Scheduling.class);

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
