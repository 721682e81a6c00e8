package io.asynq.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observation that a task is stored, and its keys. A bean of this type replaces
 * {@link DefaultTaskEnqueueObservationConvention}. Called by many threads.
 */
public interface TaskEnqueueObservationConvention extends ObservationConvention<TaskEnqueueContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof TaskEnqueueContext;
	}

}
