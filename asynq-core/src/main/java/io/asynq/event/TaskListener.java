package io.asynq.event;

/**
 * Called for what happens to tasks. The events of an attempt come in the order in which
 * they happened, but the start of the next attempt may come before the end of the last
 * one. All listeners of an application are called in turn by one thread of their own,
 * never by the threads that work on tasks. So a listener that throws or is slow affects
 * no task: it is logged and counted. While it is slow, events wait; when too many wait,
 * further ones are dropped and counted, first those of tasks that are enqueued, start or
 * succeed. Events are kept in memory only: those that wait when the JVM ends are lost.
 */
@FunctionalInterface
public interface TaskListener {

	/**
	 * Called for an event; what it throws is logged and counted.
	 */
	void onTaskEvent(TaskEvent event) throws Exception;

	/**
	 * Returns whether this listener wants a type of events, by default {@code true};
	 * asked once for each type. Events that nobody wants cost nothing.
	 */
	default boolean listensTo(Class<? extends TaskEvent> type) {
		return true;
	}

}
