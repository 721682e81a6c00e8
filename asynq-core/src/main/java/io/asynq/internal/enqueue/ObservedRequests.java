package io.asynq.internal.enqueue;

import java.util.Optional;
import java.util.function.Function;

import io.asynq.TaskInfo;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;

/**
 * Gives what is stored the headers by which the processing of the task finds the trace.
 */
public final class ObservedRequests {

	private final TaskObservations observations;

	public ObservedRequests(TaskObservations observations) {
		this.observations = observations;
	}

	TaskInfo send(EnqueueRequest request, Function<EnqueueRequest, TaskInfo> sending) {
		return observe(request, request.isScheduled(), (sent) -> Optional.of(sending.apply(sent))).orElseThrow();
	}

	public Optional<TaskInfo> fire(EnqueueRequest request, Function<EnqueueRequest, Optional<TaskInfo>> sending) {
		return observe(request, true, sending);
	}

	TaskObservation start(EnqueueRequest request) {
		return this.observations.isOn() ? this.observations.enqueue(request.message().facts()) : TaskObservation.NONE;
	}

	static EnqueueRequest withHeaders(EnqueueRequest request, TaskObservation observation, boolean later) {
		return request.withHeaders(observation.headers(request.message().headers(), later));
	}

	private Optional<TaskInfo> observe(EnqueueRequest request, boolean later,
			Function<EnqueueRequest, Optional<TaskInfo>> sending) {
		TaskObservation observation = start(request);
		Optional<TaskInfo> stored;
		try (TaskObservation.Scope scope = observation.open()) {
			stored = sending.apply(withHeaders(request, observation, later));
		}
		catch (Throwable ex) {
			observation.end(TaskOutcome.FAILED, ex);
			throw ex;
		}
		observation.end(stored.isPresent() ? TaskOutcome.SUCCEEDED : TaskOutcome.SKIPPED, null);
		return stored;
	}

}
