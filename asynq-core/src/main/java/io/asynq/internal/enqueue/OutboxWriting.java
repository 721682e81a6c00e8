package io.asynq.internal.enqueue;

import java.util.ArrayList;
import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.TaskObservation;

/**
 * To observers, writing is the enqueueing: the trace of the caller ends before a task is
 * sent.
 */
final class OutboxWriting {

	private final TaskOutbox outbox;

	private final StoredTasks stored;

	private final ObservedRequests observed;

	OutboxWriting(TaskOutbox outbox, StoredTasks stored, ObservedRequests observed) {
		this.outbox = outbox;
		this.stored = stored;
		this.observed = observed;
	}

	List<TaskInfo> write(List<EnqueueRequest> requests) {
		List<TaskObservation> observations = new ArrayList<>(requests.size());
		List<EnqueueRequest> written = new ArrayList<>(requests.size());
		for (EnqueueRequest request : requests) {
			TaskObservation observation = this.observed.start(request);
			observations.add(observation);
			written.add(ObservedRequests.withHeaders(request, observation, request.isScheduled()));
		}
		try {
			this.outbox.write(written);
		}
		catch (Throwable ex) {
			observations.forEach((observation) -> observation.end(TaskOutcome.FAILED, ex));
			throw ex;
		}
		observations.forEach((observation) -> observation.end(TaskOutcome.SUCCEEDED, null));
		return written.stream().map(this.stored::deferred).toList();
	}

}
