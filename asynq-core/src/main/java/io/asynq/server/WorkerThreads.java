package io.asynq.server;

/**
 * The threads in which handlers run. They do not bound them: {@link Slots} do. Safe for
 * concurrent use; starts again after a stop.
 */
interface WorkerThreads {

	void start();

	/**
	 * Has work run, in a thread that first says it has taken it.
	 * @param work the work
	 * @throws IllegalStateException if the threads are not started
	 * @throws OutOfMemoryError if there is no thread to be had; the work will not be run
	 */
	void execute(Runnable work);

	/**
	 * Returns whether threads that have nothing to do look for work by themselves.
	 * @return whether they do
	 */
	boolean lookForWork();

	/**
	 * Has a thread look for work, if there is some: a slot has become free.
	 */
	void freed();

	/**
	 * Lets idle threads go; a handler that does not end keeps its thread.
	 */
	void stop();

}
