package io.asynq.spring.boot.test.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * All queues of a {@link MemoryBroker}, and its unique locks. The roles hold its monitor
 * during each call, so that each is atomic, as a script is.
 */
final class MemoryStore {

	private final Clock clock;

	private final Map<String, MemoryQueue> queues = new HashMap<>();

	/** A queue is listed from its first task on. */
	private final Set<String> listed = new TreeSet<>();

	private final Map<String, UniqueLock> locks = new HashMap<>();

	MemoryStore(Clock clock) {
		this.clock = clock;
	}

	Instant now() {
		return this.clock.instant();
	}

	long seconds() {
		return now().getEpochSecond();
	}

	MemoryQueue queue(String name) {
		return this.queues.computeIfAbsent(name, (created) -> new MemoryQueue());
	}

	void list(String queue) {
		this.listed.add(queue);
	}

	Set<String> listed() {
		return new TreeSet<>(this.listed);
	}

	boolean isLocked(String key) {
		return holder(key) != null;
	}

	boolean isHeldByOneOf(String key, Set<String> ids) {
		String holder = holder(key);
		return holder != null && ids.contains(holder);
	}

	boolean isHolder(String key, String id) {
		return id.equals(holder(key));
	}

	void lock(String key, String id, Duration life) {
		this.locks.put(key, new UniqueLock(id, now().plus(life)));
	}

	/**
	 * Releases the lock of a task, if that still holds it.
	 */
	void release(TaskMessage message) {
		if (isHolder(message.uniqueKey(), message.id())) {
			this.locks.remove(message.uniqueKey());
		}
	}

	void clear() {
		this.queues.clear();
		this.listed.clear();
		this.locks.clear();
	}

	private @Nullable String holder(String key) {
		UniqueLock lock = this.locks.get(key);
		return (lock != null && lock.end().isAfter(now())) ? lock.id() : null;
	}

	private record UniqueLock(String id, Instant end) {
	}

}
