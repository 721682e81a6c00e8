package io.asynq.outbox.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.asynq.internal.enqueue.OutboxStore;

/**
 * Marks in Redis whose rows are deleted for good: a queue's Redis is told when the next
 * rows are sent, and asked now and then until they have ended; each queue by one thread
 * at a time.
 */
final class SentMarks {

	private static final int AT_ONCE = 1000;

	private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

	private final OutboxStore store;

	private final LongSupplier nanoTime;

	private final Map<String, List<String>> deleted = new ConcurrentHashMap<>();

	/** When queues were asked last whose marks have not all ended. */
	private final Map<String, Long> ending = new ConcurrentHashMap<>();

	SentMarks(OutboxStore store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
	}

	/** The deletion of these rows has committed. */
	void add(String queue, List<OutboxRow> rows) {
		if (!rows.isEmpty()) {
			this.deleted.computeIfAbsent(queue, (name) -> new ArrayList<>())
				.addAll(rows.stream().map((row) -> row.task().mark()).toList());
		}
	}

	Set<String> due() {
		long now = this.nanoTime.getAsLong();
		Set<String> due = new HashSet<>(this.deleted.keySet());
		this.ending.forEach((queue, asked) -> {
			if (now - asked > PAUSE_NANOS) {
				due.add(queue);
			}
		});
		return due;
	}

	/** Returns the time of the queue's Redis. */
	Instant begin(String queue) {
		List<String> marks = this.deleted.getOrDefault(queue, List.of());
		OutboxStore.Begun begun = this.store.begin(queue, first(marks));
		while (marks.size() > AT_ONCE) {
			first(marks).clear();
			begun = this.store.begin(queue, first(marks));
		}
		this.deleted.remove(queue);
		if (begun.marksEnd()) {
			this.ending.put(queue, this.nanoTime.getAsLong());
		}
		else {
			this.ending.remove(queue);
		}
		return begun.time();
	}

	private static List<String> first(List<String> marks) {
		return marks.subList(0, Math.min(AT_ONCE, marks.size()));
	}

}
