package io.asynq.spring.boot.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.TaskDequeuer;
import org.jspecify.annotations.Nullable;

/**
 * Takes pending tasks. Leases do not end: nothing but this JVM works on the tasks, and it
 * may stand at a breakpoint.
 */
final class MemoryDequeuer implements TaskDequeuer {

	private static final int MAX_TASKS = 64;

	private static final long MAX_BYTES = 4L * 1024 * 1024;

	private static final Duration FOR_EVER = Duration.ofDays(365);

	private final MemoryStore store;

	MemoryDequeuer(MemoryStore store) {
		this.store = store;
	}

	@Override
	public Dequeued dequeue(String name, int max) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			if (queue.isPaused()) {
				return new Dequeued(List.of(), true);
			}
			int most = Math.min(max, MAX_TASKS);
			List<LeasedTask> taken = new ArrayList<>();
			Duration waited = null;
			long bytes = 0;
			StoredTask next = queue.next();
			while (next != null && taken.size() < most) {
				bytes += size(next);
				if (!taken.isEmpty() && bytes > MAX_BYTES) {
					break;
				}
				waited = taken.isEmpty() ? waited(next.pendingSince) : waited;
				taken.add(take(queue, next));
				next = queue.next();
			}
			return new Dequeued(taken, next == null && taken.size() < most, waited);
		}
	}

	LeasedTask take(MemoryQueue queue, StoredTask task) {
		String fence = UUID.randomUUID().toString();
		queue.toActive(task, fence);
		return new LeasedTask(task.message,
				new Lease(task.message.queue(), task.message.id(), fence, System.nanoTime() + FOR_EVER.toNanos()));
	}

	private @Nullable Duration waited(@Nullable Instant since) {
		if (since == null) {
			return null;
		}
		Duration waited = Duration.between(since, this.store.now());
		return waited.isNegative() ? Duration.ZERO : waited;
	}

	private static long size(StoredTask task) {
		byte[] payload = task.message.payload();
		return (payload != null) ? payload.length : 0;
	}

}
