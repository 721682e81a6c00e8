package io.asynq.observation;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.Task;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.observation.TaskObservationContext;
import io.micrometer.observation.transport.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What {@link AsynqObservation#AGGREGATE} is about. The carrier takes the headers that a
 * tracer adds to the task that the group becomes. Not safe for concurrent use.
 */
public final class TaskAggregateContext extends LeanSenderContext implements TaskObservationContext {

	/** As many as OpenTelemetry keeps. */
	private static final int MOST_LINKS = 128;

	private final String queue;

	private final String group;

	private final List<Task> members;

	private @Nullable String type;

	private @Nullable TaskOutcome outcome;

	/** Creates the context of an aggregation. */
	public TaskAggregateContext(String queue, String group, List<Task> members) {
		super((carrier, name, value) -> carrier.put(name, value), Kind.PRODUCER);
		this.queue = queue;
		this.group = group;
		this.members = members;
		setCarrier(new HashMap<>());
	}

	public String getQueue() {
		return this.queue;
	}

	public String getGroup() {
		return this.group;
	}

	/** Returns type, payload and headers of each task of the group. */
	public List<Task> getMembers() {
		return this.members;
	}

	/**
	 * Returns the type of the task that the group became, {@code null} if there is none.
	 */
	public @Nullable String getType() {
		return this.type;
	}

	/** Returns how the aggregation has ended, {@code null} before the end. */
	public @Nullable TaskOutcome getOutcome() {
		return this.outcome;
	}

	@Override
	public Map<String, String> headers(Map<String, String> own, boolean later) {
		return TraceHeaders.add(own, getCarrier(), later);
	}

	@Override
	public Collection<String> links() {
		return this.members.stream()
			.map((member) -> member.headers().get(TraceHeaders.TRACEPARENT))
			.filter(Objects::nonNull)
			.distinct()
			.limit(MOST_LINKS)
			.toList();
	}

	@Override
	public void setType(String type) {
		this.type = type;
	}

	@Override
	public String description() {
		return "Time to turn the tasks of a group into one task that is stored";
	}

	@Override
	public void setOutcome(TaskOutcome outcome) {
		this.outcome = outcome;
	}

}
