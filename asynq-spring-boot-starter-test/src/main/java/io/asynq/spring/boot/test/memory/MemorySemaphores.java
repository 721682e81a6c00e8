package io.asynq.spring.boot.test.memory;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.asynq.internal.limit.SemaphoreStore;

/**
 * Keeps the tokens of semaphores.
 */
final class MemorySemaphores implements SemaphoreStore {

	private final MemoryStore store;

	private final Map<String, Map<String, Held>> held = new HashMap<>();

	MemorySemaphores(MemoryStore store) {
		this.store = store;
	}

	@Override
	public boolean acquire(String scope, int tokens, Token token) {
		synchronized (this.store) {
			Map<String, Held> holders = this.held.computeIfAbsent(scope, (name) -> new HashMap<>());
			long now = this.store.seconds();
			// One second late, as in Go
			holders.values().removeIf((holder) -> holder.endSeconds() <= now - 1);
			if (holders.size() >= tokens && !holders.containsKey(token.taskId())) {
				return false;
			}
			Instant end = this.store.now().plus(token.length());
			holders.put(token.taskId(),
					new Held(token.attempt(), end.getEpochSecond() + ((end.getNano() > 0) ? 1 : 0)));
			return true;
		}
	}

	@Override
	public boolean release(String scope, Token token) {
		synchronized (this.store) {
			Map<String, Held> holders = this.held.getOrDefault(scope, Map.of());
			Held holder = holders.get(token.taskId());
			boolean held = holder != null && holder.attempt().equals(token.attempt());
			if (held) {
				holders.remove(token.taskId());
			}
			return held;
		}
	}

	void clear() {
		this.held.clear();
	}

	private record Held(String attempt, long endSeconds) {
	}

}
