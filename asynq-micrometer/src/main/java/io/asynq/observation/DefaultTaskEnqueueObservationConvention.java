package io.asynq.observation;

import io.asynq.event.TaskFacts;
import io.micrometer.common.KeyValues;

/**
 * Names {@link AsynqObservation#ENQUEUE} unless the application has its own convention,
 * which may extend this one.
 */
public class DefaultTaskEnqueueObservationConvention implements TaskEnqueueObservationConvention {

	private final TaskKeys keys = new TaskKeys("enqueue");

	@Override
	public String getName() {
		return "asynq.task.enqueue";
	}

	@Override
	public String getContextualName(TaskEnqueueContext context) {
		return this.keys.span(context.getTask().type());
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(TaskEnqueueContext context) {
		TaskFacts task = context.getTask();
		return this.keys.low(task.queue(), task.type(), context.getOutcome());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(TaskEnqueueContext context) {
		return context.ids();
	}

}
