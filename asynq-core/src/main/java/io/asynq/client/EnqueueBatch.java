package io.asynq.client;

import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.EnqueueResult;
import io.asynq.broker.TaskEnqueuer;
import org.jspecify.annotations.Nullable;

/**
 * Many tasks on their way to Redis: keeps those that were refused before in their places.
 * Used by one thread, once.
 */
final class EnqueueBatch {

	private final EnqueueAnswers answers;

	private final List<Item> items = new ArrayList<>();

	EnqueueBatch(EnqueueAnswers answers) {
		this.answers = answers;
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
		List<EnqueueResult> results = requests.isEmpty() ? List.of() : enqueuer.enqueueAll(requests);
		List<EnqueueAttempt> attempts = new ArrayList<>(this.items.size());
		int next = 0;
		for (Item item : this.items) {
			attempts
				.add((item.request() != null) ? this.answers.attempt(item.task(), item.request(), results.get(next++))
						: new EnqueueAttempt(item.task(), null, item.error()));
		}
		return attempts;
	}

	private record Item(@Nullable Task task, @Nullable EnqueueRequest request, @Nullable AsynqException error) {
	}

}
