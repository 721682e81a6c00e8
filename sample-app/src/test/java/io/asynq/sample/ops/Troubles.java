package io.asynq.sample.ops;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.asynq.annotation.TaskHandler;
import io.asynq.event.TaskListener;
import io.asynq.handler.TaskContext;
import io.asynq.schedule.PeriodicTaskProvider;
import org.springframework.context.annotation.Bean;

/**
 * Handlers that fail, wait and hang. Not a component, because other tests scan this
 * package as well.
 */
class Troubles {

	static final String FAIL = "trouble:fail";

	static final String WAIT = "trouble:wait";

	static final String ALONE = "trouble:alone";

	static final String HANG = "trouble:hang";

	private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>();

	private final CountDownLatch end = new CountDownLatch(1);

	/**
	 * The ids of the tasks that have begun to wait.
	 */
	BlockingQueue<String> waiting() {
		return this.waiting;
	}

	/**
	 * Lets all handlers return.
	 */
	void end() {
		this.end.countDown();
	}

	/**
	 * Meters of listeners exist only with one.
	 */
	@Bean
	TaskListener listener() {
		return (event) -> {
		};
	}

	/**
	 * Does not know its periodic tasks.
	 */
	@Bean
	PeriodicTaskProvider provider() {
		return () -> {
			throw new AskedForException();
		};
	}

	/** Its limit, which nothing reaches, is there for the panels of limits. */
	@TaskHandler(type = FAIL, maxConcurrent = 1000)
	void fail() {
		throw new AskedForException();
	}

	@TaskHandler(WAIT)
	void await(TaskContext context) throws InterruptedException {
		this.waiting.add(context.taskId());
		this.end.await();
	}

	@TaskHandler(type = ALONE, maxConcurrent = 1)
	void awaitAlone() throws InterruptedException {
		this.end.await();
	}

	@TaskHandler(HANG)
	void hang() {
		boolean ended = false;
		while (!ended) {
			try {
				this.end.await();
				ended = true;
			}
			catch (InterruptedException ex) {
				// Ignored, which is the trouble
			}
		}
	}

	/**
	 * Has no stack, because it is logged a thousand times.
	 */
	private static final class AskedForException extends RuntimeException {

		AskedForException() {
			super("as it was asked to", null, false, false);
		}

	}

}
