package io.asynq.server;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads in which handlers run: virtual ones, or a pool that shrinks to nothing when
 * idle. It does not bound them: {@link Slots} do.
 */
final class WorkerThreads {

	private static final String PREFIX = "asynq-worker-";

	private final int concurrency;

	private final boolean virtual;

	private Runner runner = WorkerThreads::refuse;

	private Runnable shutdown = () -> {
	};

	WorkerThreads(int concurrency, boolean virtual) {
		this.concurrency = concurrency;
		this.virtual = virtual;
	}

	void start() {
		if (this.virtual) {
			SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(PREFIX);
			executor.setVirtualThreads(true);
			this.runner = executor::execute;
			this.shutdown = executor::close;
			return;
		}
		WorkerPool pool = new WorkerPool(this.concurrency, threadFactory());
		this.runner = pool::execute;
		this.shutdown = pool::stop;
	}

	private static CustomizableThreadFactory threadFactory() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory(PREFIX);
		// A handler that never ends must not keep a JVM alive whose context is closed
		factory.setDaemon(true);
		return factory;
	}

	void execute(Runnable work) {
		this.runner.run(work);
	}

	/**
	 * Lets idle threads go; a handler that does not end keeps its thread.
	 */
	void stop() {
		this.shutdown.run();
		this.runner = WorkerThreads::refuse;
	}

	private static void refuse(Runnable work) {
		throw new IllegalStateException("The server's worker threads are not started");
	}

	private interface Runner {

		void run(Runnable work);

	}

}
