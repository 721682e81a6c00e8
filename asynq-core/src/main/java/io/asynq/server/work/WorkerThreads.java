package io.asynq.server.work;

import io.asynq.server.ServerOptions;

/**
 * The threads in which handlers run; their number is not the limit for concurrency:
 * {@link Slots} are.
 */
public interface WorkerThreads {

	static WorkerThreads of(ServerOptions options, Slots slots) {
		return options.virtualThreads() ? new VirtualWorkerThreads(slots::started)
				: new WorkerPool(options.concurrency(), slots::started);
	}

	/**
	 * @param source where idle threads look for work, if they do
	 */
	void start(Source source);

	/**
	 * @throws IllegalStateException if the threads are not started
	 * @throws OutOfMemoryError if no thread is available; the work will not be run
	 */
	void execute(Runnable work);

	/**
	 * Has the calling thread do more work once its present work has ended; {@code false}
	 * if it is none of these threads.
	 */
	default boolean executeHere(Runnable work) {
		return false;
	}

	/** Whether idle threads look for work by themselves. */
	boolean lookForWork();

	/** A slot has become free, or a fetch was left off. */
	void freed();

	/** A handler that does not end keeps its thread. */
	void stop();

	interface Source {

		void look();

		/** Whether a look would find work that no other thread is about to find. */
		boolean isWorthLooking();

	}

}
