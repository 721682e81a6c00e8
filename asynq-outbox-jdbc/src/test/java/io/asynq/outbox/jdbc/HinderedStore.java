package io.asynq.outbox.jdbc;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.OutboxAnswer;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.OutboxTask;

/**
 * A real store, and something that happens on the way to it.
 */
final class HinderedStore implements OutboxStore {

	private final OutboxStore store;

	/** Gets the queue and the tasks of each call before it is made. */
	volatile BiConsumer<String, List<OutboxTask>> before = (queue, tasks) -> {
	};

	HinderedStore(OutboxStore store) {
		this.store = store;
	}

	@Override
	public OutboxTask pack(EnqueueRequest request, String mark) {
		return this.store.pack(request, mark);
	}

	@Override
	public EnqueueRequest unpack(OutboxTask task) {
		return this.store.unpack(task);
	}

	@Override
	public Begun begin(String queue, Collection<String> deleted) {
		this.before.accept(queue, List.of());
		return this.store.begin(queue, deleted);
	}

	@Override
	public List<OutboxAnswer> send(String queue, List<OutboxTask> tasks, Instant until) {
		this.before.accept(queue, tasks);
		return this.store.send(queue, tasks, until);
	}

}
