package io.asynq.internal.enqueue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.TaskObservation;
import org.jspecify.annotations.Nullable;

/**
 * The result has the tasks that were refused beforehand in their places.
 */
final class EnqueueBatch {

	private final StoredTasks stored;

	private final ObservedRequests observed;

	private final List<Item> items = new ArrayList<>();

	EnqueueBatch(StoredTasks stored, ObservedRequests observed) {
		this.stored = stored;
		this.observed = observed;
	}

	void add(Task task, EnqueueRequest request) {
		this.items.add(new Item(task, request, null));
	}

	void refuse(@Nullable Task task, AsynqException error) {
		this.items.add(new Item(task, null, error));
	}

	List<EnqueueAttempt> send(TaskEnqueuer enqueuer) {
		List<Sent> sent = new ArrayList<>(this.items.size());
		for (Item item : this.items) {
			if (item.request() != null) {
				TaskObservation observation = this.observed.start(item.request());
				sent.add(new Sent(
						ObservedRequests.withHeaders(item.request(), observation, item.request().isScheduled()),
						observation));
			}
		}
		List<Optional<AsynqException>> errors = sent.isEmpty() ? List.of() : enqueue(enqueuer, sent);
		List<EnqueueAttempt> attempts = new ArrayList<>(this.items.size());
		int next = 0;
		for (Item item : this.items) {
			AsynqException error = item.error();
			TaskInfo info = null;
			if (item.request() != null) {
				error = errors.get(next).orElse(null);
				sent.get(next).end(error);
				info = (error == null) ? this.stored.stored(sent.get(next).request()) : null;
				next++;
			}
			attempts.add(new EnqueueAttempt(item.task(), info, error));
		}
		return attempts;
	}

	List<EnqueueAttempt> defer(AfterCommit transaction) {
		List<EnqueueRequest> requests = this.items.stream().map(Item::request).filter(Objects::nonNull).toList();
		Iterator<TaskInfo> deferred = (requests.isEmpty() ? List.<TaskInfo>of() : transaction.defer(requests))
			.iterator();
		List<EnqueueAttempt> attempts = new ArrayList<>(this.items.size());
		for (Item item : this.items) {
			attempts
				.add(new EnqueueAttempt(item.task(), (item.request() != null) ? deferred.next() : null, item.error()));
		}
		return attempts;
	}

	private static List<Optional<AsynqException>> enqueue(TaskEnqueuer enqueuer, List<Sent> sent) {
		try {
			return enqueuer.enqueueAll(sent.stream().map(Sent::request).toList());
		}
		catch (Throwable ex) {
			sent.forEach((each) -> each.end(ex));
			throw ex;
		}
	}

	private record Item(@Nullable Task task, @Nullable EnqueueRequest request, @Nullable AsynqException error) {
	}

	private record Sent(EnqueueRequest request, TaskObservation observation) {

		void end(@Nullable Throwable error) {
			this.observation.end((error == null) ? TaskOutcome.SUCCEEDED : TaskOutcome.FAILED, error);
		}

	}

}
