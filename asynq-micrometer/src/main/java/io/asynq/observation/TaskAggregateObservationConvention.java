package io.asynq.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observation that a server aggregates a group, and its keys. A bean of this
 * type replaces {@link DefaultTaskAggregateObservationConvention}. Called by many
 * threads.
 */
public interface TaskAggregateObservationConvention extends ObservationConvention<TaskAggregateContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof TaskAggregateContext;
	}

}
