package io.asynq.internal.schedule;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.lane.Lanes;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Enough threads that slow entries do not delay the others, few enough for an outage of
 * Redis, and for each master of a cluster its own, so that one that hangs delays no
 * other.
 */
final class FireThreads {

	private static final Logger logger = OneLineLogger.of(FireThreads.class);

	/** Eight entries must hang before the others are delayed. */
	private static final int THREADS = 64;

	/**
	 * Enough for an entry that fires every second while Redis is away for five seconds.
	 */
	private static final int MOST_OF_ONE = 8;

	private final Lanes lanes;

	private final Map<String, ThreadPoolExecutor> byLane = new HashMap<>();

	private final Map<Entry, Integer> underway = new ConcurrentHashMap<>();

	private boolean stopped;

	FireThreads(Lanes lanes) {
		this.lanes = lanes;
	}

	void run(Entry entry, Runnable job) {
		if (this.underway.merge(entry, 1, Integer::sum) > MOST_OF_ONE) {
			ended(entry);
			entry.fellBehind();
			logger.warn("{}: a fire is lost because {} earlier ones have not ended: its method or Redis is too slow",
					entry, MOST_OF_ONE);
			return;
		}
		try {
			execute(this.lanes.areSeveral() ? this.lanes.of(entry.queue()) : Lanes.UNKNOWN, () -> {
				try {
					job.run();
				}
				finally {
					ended(entry);
				}
			});
		}
		catch (RejectedExecutionException ex) {
			ended(entry);
			entry.fellBehind();
			logger.debug("{}: a fire is lost because the scheduler stops", entry);
		}
	}

	/** Returns whether all have ended without being interrupted. */
	boolean stop(Duration timeout) {
		Collection<ThreadPoolExecutor> present = shutDown();
		long end = System.nanoTime() + timeout.toNanos();
		boolean ended = true;
		try {
			for (ThreadPoolExecutor executor : present) {
				ended &= executor.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			ended = false;
		}
		if (!ended) {
			logger.warn("{} fires of periodic tasks did not end within {} ms and are interrupted",
					present.stream()
						.mapToInt((executor) -> executor.getActiveCount() + executor.getQueue().size())
						.sum(),
					timeout.toMillis());
			present.forEach(ThreadPoolExecutor::shutdownNow);
		}
		return ended;
	}

	private synchronized Collection<ThreadPoolExecutor> shutDown() {
		this.stopped = true;
		this.byLane.values().forEach(ThreadPoolExecutor::shutdown);
		return this.byLane.values();
	}

	private synchronized void execute(String lane, Runnable job) {
		if (this.stopped) {
			throw new RejectedExecutionException("The scheduler stops");
		}
		this.byLane.computeIfAbsent(lane, (name) -> newThreads()).execute(job);
	}

	private static ThreadPoolExecutor newThreads() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-fire-");
		threads.setDaemon(true);
		// Unbounded, because the number of waiting fires per entry is bounded
		ThreadPoolExecutor executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	private void ended(Entry entry) {
		this.underway.computeIfPresent(entry, (key, count) -> (count > 1) ? count - 1 : null);
	}

}
