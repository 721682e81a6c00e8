package io.asynq.internal.lane;

import java.time.Duration;
import java.util.LinkedHashMap;
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
		long end = System.nanoTime() + this.patience.toNanos();
		begin(work).forEach((lane, ended) -> {
			if (!this.late.contains(lane) && !hasEnded(ended, end - System.nanoTime())) {
				this.late.add(lane);
			}
		});
	}

	/** Awaits nobody, for loops that have other work meanwhile. */
	public Map<String, CountDownLatch> begin(Map<String, Runnable> work) {
		Map<String, CountDownLatch> begun = new LinkedHashMap<>();
		work.forEach((lane, action) -> {
			if (this.busy.add(lane)) {
				CountDownLatch ended = new CountDownLatch(1);
				begun.put(lane, ended);
				start(lane, action, ended);
			}
		});
		return begun;
	}

	private void start(String lane, Runnable action, CountDownLatch ended) {
		try {
			this.threads.execute(() -> run(lane, action, ended));
		}
		catch (Throwable ex) {
			this.busy.remove(lane);
			throw ex;
		}
	}

	private void run(String lane, Runnable action, CountDownLatch ended) {
		long start = System.nanoTime();
		try {
			action.run();
		}
		catch (Throwable ex) {
			this.errors.warn(this.subject, ex);
		}
		finally {
			if (!isLate(start)) {
				this.late.remove(lane);
			}
			this.busy.remove(lane);
			ended.countDown();
		}
	}

	private static boolean hasEnded(CountDownLatch ended, long nanos) {
		try {
			return ended.await(nanos, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ended.getCount() == 0;
		}
	}

}
