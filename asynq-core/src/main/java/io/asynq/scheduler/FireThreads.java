package io.asynq.scheduler;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads for fires, between one start and one stop: enough that slow entries do not
 * delay the others, and few enough for an outage of Redis. Fires wait for a thread, even
 * thousands that are due at once. A fire is lost only if too many of the same entry are
 * waiting.
 */
final class FireThreads {

	private static final Logger logger = OneLineLogger.of(FireThreads.class);

	/** Eight entries must hang before the others are delayed. */
	private static final int THREADS = 64;

	/**
	 * Enough for an entry that fires every second while Redis is away for five seconds.
	 */
	private static final int MOST_OF_ONE = 8;

	private final ThreadPoolExecutor executor;

	private final Map<Entry, Integer> underway = new ConcurrentHashMap<>();

	FireThreads() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-fire-");
		threads.setDaemon(true);
		// Unbounded, because the number of waiting fires per entry is bounded
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads);
		this.executor.allowCoreThreadTimeOut(true);
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
			this.executor.execute(() -> {
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

	/**
	 * Waits for the running jobs, then interrupts them.
	 * @return whether all have ended by themselves
	 */
	boolean stop(Duration timeout) {
		this.executor.shutdown();
		try {
			if (this.executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
				return true;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		logger.warn("{} fires of periodic tasks did not end within {} ms and are interrupted",
				this.executor.getActiveCount() + this.executor.getQueue().size(), timeout.toMillis());
		this.executor.shutdownNow();
		return false;
	}

	private void ended(Entry entry) {
		this.underway.computeIfPresent(entry, (key, count) -> (count > 1) ? count - 1 : null);
	}

}
