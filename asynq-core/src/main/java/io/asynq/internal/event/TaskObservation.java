package io.asynq.internal.event;

import java.util.Map;

import io.asynq.event.TaskOutcome;
import org.jspecify.annotations.Nullable;

/**
 * No method throws; safe for concurrent use.
 */
public interface TaskObservation {

	TaskObservation NONE = new TaskObservation() {
	};

	/**
	 * Observations within are children of this one, and logs have its trace; the scope is
	 * to be closed in the same thread.
	 */
	default Scope open() {
		return Scope.NONE;
	}

	/**
	 * Returns the same headers if there is no trace.
	 * @param later whether the task is scheduled or periodic, so that its processing only
	 * links to the span of this observation
	 */
	default Map<String, String> headers(Map<String, String> own, boolean later) {
		return own;
	}

	/** Called if the type was not known at the start. */
	default void type(String type) {
	}

	/** Only the first call counts. */
	default void end(TaskOutcome outcome, @Nullable Throwable error) {
	}

	interface Scope extends AutoCloseable {

		Scope NONE = () -> {
		};

		@Override
		void close();

	}

}
