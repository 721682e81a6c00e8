package io.asynq.observation;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.asynq.event.TaskFacts;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.observation.TaskObservationContext;
import io.asynq.observation.AsynqObservation.HighCardinalityKey;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.transport.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What {@link AsynqObservation#PROCESS} is about. The carrier has the headers of the
 * task; if the span only links to that of the enqueueing, without those of its trace. Not
 * safe for concurrent use.
 */
public final class TaskProcessContext extends LeanReceiverContext implements TaskObservationContext {

	private final TaskFacts task;

	private final boolean linked;

	private final KeyValues ids;

	private @Nullable TaskOutcome outcome;

	/** Creates the context of an attempt. */
	public TaskProcessContext(TaskFacts task) {
		super((carrier, name) -> carrier.get(name), Kind.CONSUMER);
		this.task = task;
		this.ids = KeyValues.of(HighCardinalityKey.TASK_ID.withValue(task.id()),
				HighCardinalityKey.ATTEMPT.withValue(Integer.toString(task.attempt())));
		Map<String, String> headers = task.task().headers();
		this.linked = task.retryCount() > 0 || TraceHeaders.asksForLink(headers);
		setCarrier(this.linked ? TraceHeaders.withoutTrace(headers) : headers);
	}

	/** Returns the task, with the number of the attempt. */
	public TaskFacts getTask() {
		return this.task;
	}

	/**
	 * Returns whether the span begins a trace that links to that of the enqueueing, as
	 * for scheduled and periodic tasks and for retries, instead of continuing it.
	 */
	public boolean isLinked() {
		return this.linked;
	}

	/** Returns how the attempt has ended, {@code null} before the end. */
	public @Nullable TaskOutcome getOutcome() {
		return this.outcome;
	}

	/** Remembered, because conventions are asked twice. */
	KeyValues ids() {
		return this.ids;
	}

	@Override
	public Collection<String> links() {
		String parent = this.task.task().headers().get(TraceHeaders.TRACEPARENT);
		return (this.linked && parent != null) ? List.of(parent) : List.of();
	}

	@Override
	public String description() {
		return "Time of an attempt at a task, from the worker's thread to the outcome";
	}

	@Override
	public void setOutcome(TaskOutcome outcome) {
		this.outcome = outcome;
	}

}
