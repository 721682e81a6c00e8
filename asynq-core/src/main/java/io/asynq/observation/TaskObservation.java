package io.asynq.observation;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An observation from its start to its end. No method throws. Safe for concurrent use.
 */
public interface TaskObservation {

	/** Observes nothing. */
	TaskObservation NONE = new NoObservations.None();

	/**
	 * Makes the observation the current one of this thread, so that observations within
	 * are its children, and logs have its trace.
	 * @return to be closed in the same thread
	 */
	Scope open();

	/**
	 * Returns the headers of the task that is stored, with those by which its processing
	 * finds the trace.
	 * @param own the headers that the task has
	 * @param later whether the task is scheduled or periodic, so that its processing only
	 * links to the span of this observation
	 * @return the same headers if there is no trace
	 */
	Map<String, String> headers(Map<String, String> own, boolean later);

	/**
	 * Names the type of the task that is stored, if it was not known at the start.
	 * @param type the type
	 */
	void type(String type);

	/**
	 * Ends the observation. Only the first call counts.
	 * @param outcome how what is observed has ended
	 * @param error what went wrong, {@code null} if nothing did
	 */
	void end(TaskOutcome outcome, @Nullable Throwable error);

	/**
	 * A thread's time in an observation.
	 */
	interface Scope extends AutoCloseable {

		/** A time in no observation. */
		Scope NONE = () -> {
		};

		@Override
		void close();

	}

}
