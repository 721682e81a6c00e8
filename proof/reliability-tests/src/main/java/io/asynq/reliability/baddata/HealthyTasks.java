package io.asynq.reliability.baddata;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Valid tasks among the others, which must be handled once and soon. */
final class HealthyTasks {

	/** The task type that the server of a run handles. */
	static final String TYPE = "healthy";

	/** The longest permitted wait of a valid task, generous for a busy machine. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final Handled handled;

	private final List<Sent> sent = new ArrayList<>();

	private long longestNanos;

	HealthyTasks(Handled handled) {
		this.handled = handled;
	}

	int count() {
		return this.sent.size();
	}

	Duration longest() {
		return Duration.ofNanos(this.longestNanos);
	}

	List<Sent> send(RawQueue queue, String prefix, int count) {
		List<Sent> added = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			String id = prefix + "-" + i;
			byte[] key = RawQueue.utf8(id);
			queue.task(key, StoredMessage.of(TYPE, queue.name(), key).toBytes(), "pending");
			added.add(new Sent(queue.name(), id, System.nanoTime()));
			queue.listed("pending", key);
		}
		this.sent.addAll(added);
		return added;
	}

	List<Sent> fromNow(List<Sent> tasks) {
		return tasks.stream().map((task) -> new Sent(task.queue(), task.id(), System.nanoTime())).toList();
	}

	List<String> await(List<Sent> tasks) {
		try {
			Awaitility.await()
				.atMost(PATIENCE)
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(5))
				.until(() -> tasks.stream().allMatch((task) -> this.handled.times(task.queue(), task.id()) > 0));
		}
		catch (ConditionTimeoutException ex) {
			return tasks.stream()
				.filter((task) -> this.handled.times(task.queue(), task.id()) == 0)
				.map((task) -> "Healthy task '" + task.id() + "' of queue '" + task.queue()
						+ "' was not handled within " + PATIENCE.toSeconds() + " s")
				.toList();
		}
		for (Sent task : tasks) {
			Long first = this.handled.firstNanos(task.queue(), task.id());
			this.longestNanos = Math.max(this.longestNanos, ((first != null) ? first : task.nanos()) - task.nanos());
		}
		return List.of();
	}

	List<String> complaints() {
		return this.sent.stream()
			.filter((task) -> this.handled.times(task.queue(), task.id()) != 1)
			.map((task) -> "Healthy task '" + task.id() + "' of queue '" + task.queue() + "' was handled "
					+ this.handled.times(task.queue(), task.id()) + " times")
			.toList();
	}

	/** A task that was added. */
	record Sent(String queue, String id, long nanos) {
	}

	/** What handlers have seen. Safe for concurrent use. */
	static final class Handled {

		private final Map<String, AtomicInteger> times = new ConcurrentHashMap<>();

		private final Map<String, Long> firstNanos = new ConcurrentHashMap<>();

		@TaskHandler(TYPE)
		void handle(TaskContext context) {
			String key = context.queue() + "/" + context.taskId();
			this.firstNanos.putIfAbsent(key, System.nanoTime());
			this.times.computeIfAbsent(key, (unused) -> new AtomicInteger()).incrementAndGet();
		}

		int times(String queue, String id) {
			AtomicInteger count = this.times.get(queue + "/" + id);
			return (count != null) ? count.get() : 0;
		}

		@Nullable Long firstNanos(String queue, String id) {
			return this.firstNanos.get(queue + "/" + id);
		}

	}

}
