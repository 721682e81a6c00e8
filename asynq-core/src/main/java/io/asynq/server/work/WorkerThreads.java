package io.asynq.server.work;

import io.asynq.server.ServerOptions;

/**
 * The threads in which handlers run. Their number is not the limit for concurrency:
 * {@link Slots} are. Safe for concurrent use; can be started again after a stop.
 */
public interface WorkerThreads {

	/**
	 * Creates the threads that the options ask for.
	 */
	static WorkerThreads of(ServerOptions options, Slots slots) {
		return options.virtualThreads() ? new VirtualWorkerThreads(slots::started)
				: new WorkerPool(options.concurrency(), slots::started);
	}

	/**
	 * @param source where idle threads look for work, if they do
	 */
	void start(Source source);

	/**
	 * Runs work in a thread, which first reports that it has taken it.
	 * @throws IllegalStateException if the threads are not started
	 * @throws OutOfMemoryError if no thread is available; the work will not be run
	 */
	void execute(Runnable work);

	/**
	 * Has the calling thread do more work once its present work has ended.
	 * @return {@code false} if it is none of these threads
	 */
	default boolean executeHere(Runnable work) {
		return false;
	}

	/**
	 * Returns whether idle threads look for work by themselves.
	 */
	boolean lookForWork();

	/**
	 * Called when a slot has become free, or a fetch was left off: a thread looks for
	 * work if there may be any.
	 */
	void freed();

	/**
	 * Ends idle threads; a handler that does not end keeps its thread.
	 */
	void stop();

	/**
	 * Where idle threads find work. Safe for concurrent use.
	 */
	interface Source {

		/**
		 * Looks for work and has it run; called by a thread before it sleeps.
		 */
		void look();

		/**
		 * Returns whether a look would find work that no other thread is about to find.
		 */
		boolean isWorthLooking();

	}

}
