package io.asynq.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.broker.TaskEnqueuer;
import io.asynq.broker.message.EnqueueRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are enqueued together. The result has those that were refused beforehand in
 * their places. Used once, by one thread.
 */
final class EnqueueBatch {

	private final StoredTasks stored;

	private final List<Item> items = new ArrayList<>();

	EnqueueBatch(StoredTasks stored) {
		this.stored = stored;
	}

	void add(Task task, EnqueueRequest request) {
		this.items.add(new Item(task, request, null));
	}

	void refuse(@Nullable Task task, AsynqException error) {
		this.items.add(new Item(task, null, error));
	}

	List<EnqueueAttempt> send(TaskEnqueuer enqueuer) {
		List<EnqueueRequest> requests = new ArrayList<>(this.items.size());
		for (Item item : this.items) {
			if (item.request() != null) {
				requests.add(item.request());
			}
		}
		List<Optional<AsynqException>> errors = requests.isEmpty() ? List.of() : enqueuer.enqueueAll(requests);
		List<EnqueueAttempt> attempts = new ArrayList<>(this.items.size());
		int next = 0;
		for (Item item : this.items) {
			AsynqException error = (item.request() != null) ? errors.get(next++).orElse(null) : item.error();
			TaskInfo info = (item.request() != null && error == null) ? this.stored.stored(item.request()) : null;
			attempts.add(new EnqueueAttempt(item.task(), info, error));
		}
		return attempts;
	}

	private record Item(@Nullable Task task, @Nullable EnqueueRequest request, @Nullable AsynqException error) {
	}

}
