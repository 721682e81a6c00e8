package io.asynq.internal.observation;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.asynq.event.TaskOutcome;

public interface TaskObservationContext {

	/** Called before the observation ends. */
	void setOutcome(TaskOutcome outcome);

	/** Called if the type was not known at the start. */
	default void setType(String type) {
	}

	/** Adds what a tracer adds; the same headers if that is nothing. */
	default Map<String, String> headers(Map<String, String> own, boolean later) {
		return own;
	}

	/** W3C's {@code traceparent} of each span that is linked to, not checked. */
	default Collection<String> links() {
		return List.of();
	}

}
