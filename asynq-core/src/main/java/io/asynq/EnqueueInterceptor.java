package io.asynq;

/**
 * Sees each task before it is stored, and may add headers: tasks of clients (alone, in a
 * batch or after a commit), of the scheduler, and those that aggregators return, but not
 * tasks that are put back, retried or run by hand. Called in the thread that enqueues,
 * once for each task, before its size is checked; for a task that waits for a commit,
 * when it is enqueued and not when it is sent. Must be safe for concurrent use.
 */
@FunctionalInterface
public interface EnqueueInterceptor {

	/**
	 * Called before a task is stored.
	 * @param task the task; not to be used after this call
	 * @throws RuntimeException to refuse the task: the call that enqueues throws an
	 * {@link AsynqException} that names this interceptor and the task, with this as its
	 * cause
	 */
	void beforeEnqueue(OutgoingTask task);

}
