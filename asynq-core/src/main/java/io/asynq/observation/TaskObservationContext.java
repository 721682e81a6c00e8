package io.asynq.observation;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What the contexts of all observations have in common.
 */
interface TaskObservationContext {

	/**
	 * Called before the observation ends.
	 */
	void setOutcome(TaskOutcome outcome);

	/**
	 * Names the type of a task that was not known at the start.
	 */
	default void setType(String type) {
	}

	/**
	 * Returns the headers of the task that is stored, with those that a tracer adds.
	 * @param own the headers that the task has
	 * @param later whether its processing only links to the trace
	 * @return the same if there are no others
	 */
	default Map<String, String> headers(Map<String, String> own, boolean later) {
		return own;
	}

	/**
	 * Returns the spans that the span links to, instead of being their child, as W3C's
	 * {@code traceparent}.
	 * @return not checked, often empty
	 */
	default Collection<String> links() {
		return List.of();
	}

}
