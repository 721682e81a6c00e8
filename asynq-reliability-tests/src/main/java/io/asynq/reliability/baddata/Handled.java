package io.asynq.reliability.baddata;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import org.jspecify.annotations.Nullable;

/** What handlers have seen. Safe for concurrent use. */
final class Handled {

	private final Map<String, AtomicInteger> times = new ConcurrentHashMap<>();

	private final Map<String, Long> firstNanos = new ConcurrentHashMap<>();

	@TaskHandler(Corruption.HANDLED_TYPE)
	void handle(TaskContext context) {
		String key = key(context.queue(), context.taskId());
		this.firstNanos.putIfAbsent(key, System.nanoTime());
		this.times.computeIfAbsent(key, (unused) -> new AtomicInteger()).incrementAndGet();
	}

	int times(String queue, String id) {
		AtomicInteger count = this.times.get(key(queue, id));
		return (count != null) ? count.get() : 0;
	}

	@Nullable Long firstNanos(String queue, String id) {
		return this.firstNanos.get(key(queue, id));
	}

	private static String key(String queue, String id) {
		return queue + "/" + id;
	}

}
