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
 * The threads on which entries fire, between one start and one stop: enough that some
 * slow entries do not hold up the others, few enough that an outage of Redis does not
 * fill the machine with them. Fires wait for a thread, thousands that are due at once
 * too; only those of an entry that does not get on are lost.
 */
final class FireThreads {

	private static final Logger logger = OneLineLogger.of(FireThreads.class);

	/** It takes eight entries that hang to hold up the others. */
	private static final int THREADS = 64;

	/** More than fires every second need while Redis is asked for five seconds. */
	private static final int MOST_OF_ONE = 8;

	private final ThreadPoolExecutor executor;

	private final Map<Entry, Integer> underway = new ConcurrentHashMap<>();

	FireThreads() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-fire-");
		threads.setDaemon(true);
		// As many may wait as there are entries, a few for each
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Runs a job soon.
	 * @param entry whose it is
	 * @param job the job
	 */
	void run(Entry entry, Runnable job) {
		if (this.underway.merge(entry, 1, Integer::sum) > MOST_OF_ONE) {
			ended(entry);
			entry.fellBehind();
			logger.warn("{}: a fire is lost, because {} earlier ones have not ended: its method or Redis is too slow",
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
			logger.debug("{}: a fire is lost, because the scheduler stops", entry);
		}
	}

	/**
	 * Waits for running jobs, then interrupts them.
	 * @param timeout how long to wait
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
		logger.warn("{} fires of periodic tasks did not end within {} ms, they are interrupted",
				this.executor.getActiveCount() + this.executor.getQueue().size(), timeout.toMillis());
		this.executor.shutdownNow();
		return false;
	}

	private void ended(Entry entry) {
		this.underway.computeIfPresent(entry, (key, count) -> (count > 1) ? count - 1 : null);
	}

}
