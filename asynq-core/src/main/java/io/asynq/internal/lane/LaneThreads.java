package io.asynq.internal.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.lifecycle.LoopErrorLog;

/**
 * A lane that is still busy is skipped, and one that was late is not awaited until it has
 * been in time again, so that a lane that hangs delays a round once, by a moment.
 */
public final class LaneThreads {

	static final Duration PATIENCE = Duration.ofMillis(500);

	private final String subject;

	private final Executor threads;

	private final LoopErrorLog errors;

	private final Duration patience;

	private final Set<String> busy = ConcurrentHashMap.newKeySet();

	private final Set<String> late = ConcurrentHashMap.newKeySet();

	LaneThreads(String subject, Executor threads, LoopErrorLog errors, Duration patience) {
		this.subject = subject;
		this.threads = threads;
		this.errors = errors;
		this.patience = patience;
	}

	public boolean isBusy(String lane) {
		return this.busy.contains(lane);
	}

	/** Work that began then may not have been awaited. */
	public boolean isLate(long startNanos) {
		return System.nanoTime() - startNanos >= this.patience.toNanos();
	}

	public boolean anyBusy() {
		return !this.busy.isEmpty();
	}

	public void run(Map<String, Runnable> work) {
		List<Job> jobs = new ArrayList<>();
		work.forEach((lane, action) -> {
			if (this.busy.add(lane)) {
				Job job = new Job(lane, action);
				if (!this.late.contains(lane)) {
					jobs.add(job);
				}
				start(job);
			}
		});
		long end = System.nanoTime() + this.patience.toNanos();
		for (Job job : jobs) {
			if (!job.hasEnded(end - System.nanoTime())) {
				this.late.add(job.lane);
			}
		}
	}

	private void start(Job job) {
		try {
			this.threads.execute(job);
		}
		catch (Throwable ex) {
			this.busy.remove(job.lane);
			throw ex;
		}
	}

	private final class Job implements Runnable {

		private final String lane;

		private final Runnable action;

		private final CountDownLatch ended = new CountDownLatch(1);

		Job(String lane, Runnable action) {
			this.lane = lane;
			this.action = action;
		}

		@Override
		public void run() {
			long start = System.nanoTime();
			try {
				this.action.run();
			}
			catch (Throwable ex) {
				LaneThreads.this.errors.warn(LaneThreads.this.subject, ex);
			}
			finally {
				if (!isLate(start)) {
					LaneThreads.this.late.remove(this.lane);
				}
				LaneThreads.this.busy.remove(this.lane);
				this.ended.countDown();
			}
		}

		boolean hasEnded(long nanos) {
			try {
				return this.ended.await(nanos, TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return this.ended.getCount() == 0;
			}
		}

	}

}
