package io.asynq.internal.observation;

import java.util.List;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OncePerMinute;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.observation.AsynqObservation;
import io.asynq.observation.DefaultTaskAggregateObservationConvention;
import io.asynq.observation.DefaultTaskEnqueueObservationConvention;
import io.asynq.observation.DefaultTaskProcessObservationConvention;
import io.asynq.observation.TaskAggregateContext;
import io.asynq.observation.TaskAggregateObservationConvention;
import io.asynq.observation.TaskEnqueueContext;
import io.asynq.observation.TaskEnqueueObservationConvention;
import io.asynq.observation.TaskProcessContext;
import io.asynq.observation.TaskProcessObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What a handler, a filter or a convention throws is logged once a minute.
 */
public final class MicrometerTaskObservations implements TaskObservations {

	private static final Logger logger = OneLineLogger.of(MicrometerTaskObservations.class);

	/** What the other side of a span is called. */
	private static final String SYSTEM = "asynq";

	private final TaskEnqueueObservationConvention defaultEnqueue = new DefaultTaskEnqueueObservationConvention();

	private final TaskProcessObservationConvention defaultProcess = new DefaultTaskProcessObservationConvention();

	private final TaskAggregateObservationConvention defaultAggregate = new DefaultTaskAggregateObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable TaskEnqueueObservationConvention enqueue;

	private final @Nullable TaskProcessObservationConvention process;

	private final @Nullable TaskAggregateObservationConvention aggregate;

	private final OncePerMinute failures = new OncePerMinute(System::nanoTime);

	/** The registry may get its handlers later. */
	public MicrometerTaskObservations(ObservationRegistry registry, @Nullable TaskEnqueueObservationConvention enqueue,
			@Nullable TaskProcessObservationConvention process,
			@Nullable TaskAggregateObservationConvention aggregate) {
		this.registry = registry;
		this.enqueue = enqueue;
		this.process = process;
		this.aggregate = aggregate;
	}

	@Override
	public boolean isOn() {
		return !this.registry.isNoop();
	}

	@Override
	public TaskObservation enqueue(TaskFacts task) {
		TaskEnqueueContext context = new TaskEnqueueContext(task);
		context.setRemoteServiceName(SYSTEM);
		return start(AsynqObservation.ENQUEUE, this.enqueue, this.defaultEnqueue, context);
	}

	@Override
	public TaskObservation process(TaskFacts task) {
		TaskProcessContext context = new TaskProcessContext(task);
		context.setRemoteServiceName(SYSTEM);
		return start(AsynqObservation.PROCESS, this.process, this.defaultProcess, context);
	}

	@Override
	public TaskObservation aggregate(String queue, String group, List<Task> members) {
		TaskAggregateContext context = new TaskAggregateContext(queue, group, members);
		context.setRemoteServiceName(SYSTEM);
		return start(AsynqObservation.AGGREGATE, this.aggregate, this.defaultAggregate, context);
	}

	ObservationRegistry registry() {
		return this.registry;
	}

	void failed(Throwable error) {
		UserCode.tell(error, (shown) -> {
			if (this.failures.allows("")) {
				logger.warn("An ObservationHandler, -Predicate, -Filter or -Convention failed, which affects no task;"
						+ " this is logged once a minute", shown);
			}
		});
	}

	private <C extends Observation.Context & TaskObservationContext> TaskObservation start(AsynqObservation what,
			@Nullable ObservationConvention<C> own, ObservationConvention<C> otherwise, C context) {
		MicrometerTaskObservation observation = new MicrometerTaskObservation(this, context);
		try {
			observation.start(what.observation(own, otherwise, () -> context, this.registry));
		}
		catch (Throwable ex) {
			failed(ex);
		}
		return observation;
	}

}
