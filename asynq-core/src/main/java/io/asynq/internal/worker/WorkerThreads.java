package io.asynq.internal.worker;

import io.asynq.server.ServerOptions;

/**
 * The number of threads is not the limit for concurrency: {@link Slots} are.
 */
public interface WorkerThreads {

	static WorkerThreads of(ServerOptions options, Slots slots) {
		return options.virtualThreads() ? new VirtualWorkerThreads(slots::started)
				: new WorkerPool(options.concurrency(), slots::started);
	}

	void start(Source source);

	/**
	 * @throws OutOfMemoryError if no thread is available; the work will not be run
	 */
	void execute(Runnable work);

	/** Returns {@code false} if the caller is none of these threads. */
	default boolean executeHere(Runnable work) {
		return false;
	}

	/**
	 * Whether idle threads look for work, so that nobody need wake them for a free slot.
	 */
	boolean fetchThemselves();

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
