package io.asynq.scheduler;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads on which entries fire, between one start and one stop: enough that some
 * slow ones do not hold up the others, few enough that an outage of Redis does not fill
 * the machine with them.
 */
final class FireThreads {

	private static final Logger logger = LoggerFactory.getLogger(FireThreads.class);

	private static final int THREADS = 16;

	private static final int WAITING = 1000;

	private final ThreadPoolExecutor executor;

	FireThreads() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-fire-");
		threads.setDaemon(true);
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(WAITING), threads);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Runs a job soon.
	 * @param entry whose it is
	 * @param job the job
	 */
	void run(Entry entry, Runnable job) {
		try {
			this.executor.execute(job);
		}
		catch (RejectedExecutionException ex) {
			entry.fellBehind();
			logger.warn("{}: a fire is lost, because {} others wait for methods of periodic tasks or for Redis", entry,
					this.executor.getQueue().size());
		}
	}

	/**
	 * Waits for running jobs, then interrupts them.
	 * @param timeout how long to wait
	 */
	void stop(Duration timeout) {
		this.executor.shutdown();
		try {
			if (this.executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
				return;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		logger.warn("{} fires of periodic tasks did not end within {} s, they are interrupted",
				this.executor.getActiveCount() + this.executor.getQueue().size(), timeout.toSeconds());
		this.executor.shutdownNow();
	}

}
