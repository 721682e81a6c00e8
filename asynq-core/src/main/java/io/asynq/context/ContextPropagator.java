package io.asynq.context;

import java.util.Collection;
import java.util.Map;

/**
 * Carries context, such as a tenant or a request id, in the headers of tasks: from the
 * thread that enqueues a task to the thread that handles it, and from there to the tasks
 * that the handler enqueues. Values are texts, because they cross from one JVM to
 * another. Must be safe for concurrent use.
 */
public interface ContextPropagator {

	/**
	 * Returns the present context as headers, empty if there is none. Called in the
	 * thread that enqueues a task, before interceptors. A header that the task has
	 * already is kept.
	 * @throws RuntimeException anything: the task is not enqueued
	 */
	Map<String, String> capture();

	/**
	 * Makes the context of a task that of the present thread: of the thread that handles
	 * it, with interceptors and error handlers, and of the thread of listeners.
	 * @param headers all headers of the task
	 * @return to be closed in the same thread, whatever happens in between
	 * @throws RuntimeException anything: the attempt fails without its handler having
	 * been called; error handlers and listeners are called without the context
	 */
	Scope open(Map<String, String> headers);

	/**
	 * Carries entries of the MDC in headers of the same names. In the handler's thread an
	 * entry that the task does not have is not there, and control characters are escaped,
	 * because logging patterns write values as they are.
	 * @throws IllegalArgumentException if a name is blank, or one that asynq or tracing
	 * uses itself
	 */
	static ContextPropagator mdc(Collection<String> names) {
		return new MdcPropagator(names);
	}

	/**
	 * The context of a task in one thread.
	 */
	@FunctionalInterface
	interface Scope extends AutoCloseable {

		/**
		 * Changes nothing.
		 */
		Scope NONE = () -> {
		};

		/**
		 * Takes the context away from this thread and restores what was there before.
		 */
		@Override
		void close();

	}

}
