package io.asynq.spring.boot.test.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.AsynqException;
import io.asynq.TaskState;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.enqueue.TaskEnqueuer;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;

/**
 * Stores new tasks, and tells whoever wants to know which.
 */
final class MemoryEnqueuer implements TaskEnqueuer {

	private static final int STORED = 1;

	private static final int ID_CONFLICT = 0;

	private static final int DUPLICATE = -1;

	private final MemoryStore store;

	private final Consumer<List<EnqueueRequest>> listener;

	MemoryEnqueuer(MemoryStore store, Consumer<List<EnqueueRequest>> listener) {
		this.store = store;
		this.listener = listener;
	}

	@Override
	public void enqueue(EnqueueRequest request) {
		enqueueAll(List.of(request)).get(0).ifPresent((error) -> {
			throw error;
		});
	}

	@Override
	public List<Optional<AsynqException>> enqueueAll(List<EnqueueRequest> requests) {
		List<Optional<AsynqException>> results = new ArrayList<>(requests.size());
		List<EnqueueRequest> stored = new ArrayList<>(requests.size());
		synchronized (this.store) {
			for (EnqueueRequest request : requests) {
				NewTask created = NewTask.of(request);
				Optional<AsynqException> refusal = Refusal.of(created.message(), add(created));
				results.add(refusal);
				if (refusal.isEmpty()) {
					stored.add(request);
				}
			}
		}
		tell(stored);
		return results;
	}

	/**
	 * Tells the listener, which may run tasks, and so must be called without the store's
	 * lock.
	 */
	void tell(List<EnqueueRequest> stored) {
		if (!stored.isEmpty()) {
			this.listener.accept(stored);
		}
	}

	int add(NewTask created) {
		return add(created, Set.of());
	}

	/**
	 * Stores a task.
	 * @param giving the tasks whose lock may pass to it
	 * @return as the scripts do
	 */
	int add(NewTask created, Set<String> giving) {
		EnqueueRequest request = created.request();
		TaskMessage message = created.message();
		MemoryQueue queue = this.store.queue(message.queue());
		this.store.list(message.queue());
		StoredTask present = queue.find(message.id());
		boolean replaced = created.replaces() && present != null && present.state == TaskState.ARCHIVED;
		boolean unique = request.lockTtl() != null;
		if (unique && this.store.isLocked(message.uniqueKey())
				&& !(replaced && this.store.isHolder(message.uniqueKey(), message.id()))
				&& !this.store.isHeldByOneOf(message.uniqueKey(), giving)) {
			return DUPLICATE;
		}
		if (replaced) {
			queue.delete(present);
			this.store.release(present.message);
		}
		else if (present != null) {
			return ID_CONFLICT;
		}
		if (unique) {
			this.store.lock(message.uniqueKey(), message.id(), request.lockTtl());
		}
		place(queue, new StoredTask(asStored(created.bytes()), created.state()), request.placement());
		return STORED;
	}

	private void place(MemoryQueue queue, StoredTask task, Placement placement) {
		queue.add(task);
		if (placement instanceof Placement.Scheduled later) {
			task.laterGroup = task.message.group();
			queue.toSorted(task, TaskState.SCHEDULED, later.at().getEpochSecond());
		}
		else if (placement instanceof Placement.Grouped) {
			task.group = task.message.group();
			queue.toSorted(task, TaskState.AGGREGATING, this.store.seconds());
		}
		else {
			queue.toPending(task, this.store.now());
		}
	}

	/** What Redis would return, such as text without half characters. */
	private static TaskMessage asStored(byte[] bytes) {
		try {
			return TaskMessageCodec.decode(bytes);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new IllegalStateException("Encoded a moment ago", ex);
		}
	}

}
