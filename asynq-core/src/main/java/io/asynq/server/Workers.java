package io.asynq.server;

/**
 * The workers of a server: slots that bound them, threads that run them.
 */
final class Workers {

	private final ServerRuntime runtime;

	private final Slots slots;

	private final WorkerThreads threads;

	Workers(ServerRuntime runtime, Runnable onIdle) {
		this.runtime = runtime;
		this.slots = new Slots(runtime.options().concurrency(), onIdle);
		this.threads = new WorkerThreads(runtime.options().concurrency(), runtime.options().virtualThreads());
	}

	void start() {
		this.threads.start();
	}

	/**
	 * Counts idle workers.
	 * @return how many; if none, the callback is called when there is one
	 */
	int idleOrAwait() {
		return this.slots.freeOrAwait();
	}

	/**
	 * Runs an attempt in a worker of its own. Throws what keeps it from starting, such as
	 * an error of the JVM that has no thread left; the worker is idle then.
	 * @param attempt the attempt
	 * @param execution how
	 */
	void run(Attempt attempt, TaskExecution execution) {
		this.slots.take();
		boolean started = false;
		try {
			Runnable work = this.runtime.policies().decorator().decorate(() -> execution.run(attempt));
			this.threads.execute(() -> {
				this.slots.started();
				try {
					work.run();
				}
				finally {
					returned(attempt);
				}
			});
			started = true;
		}
		finally {
			if (!started) {
				this.slots.started();
				returned(attempt);
			}
		}
	}

	void stop() {
		this.threads.stop();
	}

	private void returned(Attempt attempt) {
		this.slots.release();
		this.runtime.active().returned(attempt);
	}

}
