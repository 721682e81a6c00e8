package io.asynq.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observation that a server processes a task, and its keys. A bean of this type
 * replaces {@link DefaultTaskProcessObservationConvention}. Called by many threads.
 */
public interface TaskProcessObservationConvention extends ObservationConvention<TaskProcessContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof TaskProcessContext;
	}

}
