package io.asynq.observation;

import io.asynq.observation.AsynqObservation.HighCardinalityKey;
import io.micrometer.common.KeyValues;

/**
 * Names {@link AsynqObservation#AGGREGATE} unless the application has its own convention,
 * which may extend this one.
 */
public class DefaultTaskAggregateObservationConvention implements TaskAggregateObservationConvention {

	private final TaskKeys keys = new TaskKeys("aggregate");

	@Override
	public String getName() {
		return "asynq.task.aggregate";
	}

	@Override
	public String getContextualName(TaskAggregateContext context) {
		return "aggregate " + this.keys.queue(context.getQueue());
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(TaskAggregateContext context) {
		return this.keys.low(context.getQueue(), context.getType(), context.getOutcome());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(TaskAggregateContext context) {
		return KeyValues.of(HighCardinalityKey.GROUP.withValue(context.getGroup()),
				HighCardinalityKey.MEMBERS.withValue(Integer.toString(context.getMembers().size())));
	}

}
