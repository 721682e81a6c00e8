package io.asynq.server;

import java.util.function.BooleanSupplier;

import io.asynq.AsynqException;

/**
 * The workers of a server: slots that bound them, threads that run them.
 */
final class Workers {

	private final ServerRuntime runtime;

	private final Beginnings beginnings;

	private final Slots slots;

	private final WorkerThreads threads;

	/**
	 * Creates the workers.
	 * @param runtime the server
	 * @param beginnings says what may begin
	 * @param onOffer called when a slot is free after somebody waited for that
	 * @param whenIdle called by a pooled thread that has nothing to do
	 * @param worthLooking whether {@code whenIdle} would find something that nobody else
	 * fetches
	 */
	Workers(ServerRuntime runtime, Beginnings beginnings, Runnable onOffer, Runnable whenIdle,
			BooleanSupplier worthLooking) {
		this.runtime = runtime;
		this.beginnings = beginnings;
		this.slots = new Slots(runtime.options().concurrency(), onOffer, this::freed);
		this.threads = runtime.options().virtualThreads() ? new VirtualWorkerThreads(this.slots::started)
				: new WorkerPool(runtime.options().concurrency(), this.slots::started, whenIdle, worthLooking);
	}

	void start() {
		this.threads.start();
	}

	Slots slots() {
		return this.slots;
	}

	/**
	 * Returns whether idle threads look for work by themselves.
	 * @return whether {@code whenIdle} is called
	 */
	boolean lookForWork() {
		return this.threads.lookForWork();
	}

	/**
	 * Runs an attempt in a worker of its own, from where it is held until its outcome is
	 * written. Throws what keeps it from starting, such as an error of the JVM that has
	 * no thread left; the worker is idle then.
	 * @param attempt the attempt
	 * @param execution how
	 */
	void run(Attempt attempt, TaskExecution execution) {
		this.slots.take();
		attempt.occupy(this.slots::release);
		boolean started = false;
		try {
			this.runtime.active().add(attempt);
			this.threads.execute(() -> work(attempt, execution));
			started = true;
		}
		finally {
			if (!started) {
				this.slots.started();
				this.slots.release();
				this.runtime.active().returned(attempt);
			}
		}
	}

	void stop() {
		this.threads.stop();
	}

	private void work(Attempt attempt, TaskExecution execution) {
		try {
			// Before it arrives: an interrupt must not end the call to Redis
			if (this.beginnings.mayBegin(attempt)) {
				attempt.arrive();
				runDecorated(attempt, execution);
			}
		}
		finally {
			attempt.depart();
			execution.leave(attempt);
		}
	}

	private void runDecorated(Attempt attempt, TaskExecution execution) {
		try {
			Runnable decorated = this.runtime.policies().decorator().decorate(() -> execution.run(attempt));
			if (decorated == null) {
				throw new AsynqException("The TaskDecorator returned null");
			}
			decorated.run();
			if (!attempt.hasBegun() && !attempt.isCancelled()) {
				throw new AsynqException("The TaskDecorator returned without running the task");
			}
		}
		catch (Throwable ex) {
			if (!execution.fail(attempt, ex)) {
				throw ex;
			}
		}
	}

	private void freed() {
		this.threads.freed();
	}

}
