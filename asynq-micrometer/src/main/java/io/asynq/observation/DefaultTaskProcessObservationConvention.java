package io.asynq.observation;

import io.asynq.event.TaskFacts;
import io.micrometer.common.KeyValues;

/**
 * Names {@link AsynqObservation#PROCESS} unless the application has its own convention,
 * which may extend this one.
 */
public class DefaultTaskProcessObservationConvention implements TaskProcessObservationConvention {

	private final TaskKeys keys = new TaskKeys("process");

	@Override
	public String getName() {
		return "asynq.task.process";
	}

	@Override
	public String getContextualName(TaskProcessContext context) {
		return this.keys.span(context.getTask().type());
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(TaskProcessContext context) {
		TaskFacts task = context.getTask();
		return this.keys.low(task.queue(), task.type(), context.getOutcome());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(TaskProcessContext context) {
		return context.ids();
	}

}
