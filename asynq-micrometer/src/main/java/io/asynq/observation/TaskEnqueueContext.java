package io.asynq.observation;

import java.util.HashMap;
import java.util.Map;

import io.asynq.event.TaskFacts;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.observation.TaskObservationContext;
import io.asynq.observation.AsynqObservation.HighCardinalityKey;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.transport.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What {@link AsynqObservation#ENQUEUE} is about. The carrier takes the headers that a
 * tracer adds to the task. Not safe for concurrent use.
 */
public final class TaskEnqueueContext extends LeanSenderContext implements TaskObservationContext {

	private final TaskFacts task;

	private final KeyValues ids;

	private @Nullable TaskOutcome outcome;

	/** Creates the context of an enqueueing. */
	public TaskEnqueueContext(TaskFacts task) {
		super((carrier, name, value) -> carrier.put(name, value), Kind.PRODUCER);
		this.task = task;
		this.ids = KeyValues.of(HighCardinalityKey.TASK_ID.withValue(task.id()));
		setCarrier(new HashMap<>());
	}

	/** Returns the task that is stored. */
	public TaskFacts getTask() {
		return this.task;
	}

	/** Returns how the enqueueing has ended, {@code null} before the end. */
	public @Nullable TaskOutcome getOutcome() {
		return this.outcome;
	}

	/** Remembered, because conventions are asked twice. */
	KeyValues ids() {
		return this.ids;
	}

	@Override
	public String description() {
		return "Time to enqueue a task";
	}

	@Override
	public void setOutcome(TaskOutcome outcome) {
		this.outcome = outcome;
	}

	@Override
	public Map<String, String> headers(Map<String, String> own, boolean later) {
		return TraceHeaders.add(own, getCarrier(), later);
	}

}
