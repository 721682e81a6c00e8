package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.asynq.lifecycle.LoopErrorLog;

/**
 * Does one component's work for several lanes side by side, in one thread for each at
 * most. A lane whose work has not ended since the last time is left out, and a lane that
 * was late is not waited for until it was in time again: so one that hangs holds up a
 * round once, by a moment. Safe for concurrent use.
 */
final class LaneThreads {

	/** How long the others wait for one that was not late so far. */
	static final Duration PATIENCE = Duration.ofMillis(500);

	private final String subject;

	private final Executor threads;

	private final LoopErrorLog errors;

	private final Set<String> busy = ConcurrentHashMap.newKeySet();

	private final Set<String> late = ConcurrentHashMap.newKeySet();

	/**
	 * Creates it.
	 * @param subject whose work it is, for the log
	 * @param threads where the work is done
	 * @param errors where errors are logged that the work does not catch
	 */
	LaneThreads(String subject, Executor threads, LoopErrorLog errors) {
		this.subject = subject;
		this.threads = threads;
		this.errors = errors;
	}

	/**
	 * Returns whether a lane's work has not ended.
	 * @param lane the lane
	 * @return whether it would be left out now
	 */
	boolean isBusy(String lane) {
		return this.busy.contains(lane);
	}

	boolean anyBusy() {
		return !this.busy.isEmpty();
	}

	/**
	 * Has work done and waits for it a while. What is late goes on.
	 * @param work the work by lane
	 */
	void run(Map<String, Runnable> work) {
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
		long end = System.nanoTime() + PATIENCE.toNanos();
		for (Job job : jobs) {
			if (!job.hasEnded(end - System.nanoTime())) {
				this.late.add(job.lane);
			}
		}
	}

	private void start(Job job) {
		boolean started = false;
		try {
			this.threads.execute(job);
			started = true;
		}
		finally {
			if (!started) {
				this.busy.remove(job.lane);
			}
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
				if (System.nanoTime() - start < PATIENCE.toNanos()) {
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
