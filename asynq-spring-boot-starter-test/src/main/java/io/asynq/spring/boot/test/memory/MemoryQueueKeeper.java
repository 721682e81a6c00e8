package io.asynq.spring.boot.test.memory;

import java.util.Map;
import java.util.function.Consumer;

import io.asynq.inspect.Inconsistency;
import io.asynq.internal.inspect.QueueKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Pauses and resumes queues.
 */
final class MemoryQueueKeeper implements QueueKeeper {

	private final MemoryStore store;

	MemoryQueueKeeper(MemoryStore store) {
		this.store = store;
	}

	@Override
	public boolean pause(String queue) {
		return change(queue, true);
	}

	@Override
	public boolean resume(String queue) {
		return change(queue, false);
	}

	@Override
	public Map<String, Long> delete(String queue, boolean force) {
		throw Unsupported.operation("QueueKeeper.delete", "the deletion of a queue");
	}

	@Override
	public Map<String, Long> unhandled(String queue) {
		throw Unsupported.operation("QueueKeeper.unhandled", "the diagnosis of a queue");
	}

	@Override
	public @Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found) {
		throw Unsupported.operation("QueueKeeper.check", "the diagnosis of a queue");
	}

	@Override
	public boolean repair(Inconsistency inconsistency) {
		throw Unsupported.operation("QueueKeeper.repair", "the repair of a queue");
	}

	private boolean change(String name, boolean paused) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			boolean changed = queue.isPaused() != paused;
			queue.pause(paused);
			return changed;
		}
	}

}
