package io.asynq;

/**
 * Sees each task before it is stored, and may add headers: tasks that a client enqueues,
 * alone, in a batch or after a commit, those of periodic tasks, and those that
 * aggregators return. Interceptors are called one after the other in the thread that
 * enqueues, once for each task, before its size is checked; a task that waits for a
 * commit meets them when it is enqueued, not when it is sent. A task that is put back,
 * retried or run by hand is not enqueued. Must be safe for concurrent use.
 */
@FunctionalInterface
public interface EnqueueInterceptor {

	/**
	 * Called before a task is stored.
	 * @param task the task; not to be used after this call
	 * @throws RuntimeException anything: the task is not enqueued, and the call that
	 * enqueues throws an {@link AsynqException} that names this interceptor and the task,
	 * with this as its cause
	 */
	void beforeEnqueue(OutgoingTask task);

}
