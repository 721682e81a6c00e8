package io.asynq.spring.boot.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.asynq.TaskState;
import io.asynq.inspect.DailyStats;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.QueueStats.Counters;
import io.asynq.internal.inspect.QueueReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads queues.
 */
final class MemoryQueueReader implements QueueReader {

	private final MemoryStore store;

	MemoryQueueReader(MemoryStore store) {
		this.store = store;
	}

	@Override
	public Set<String> queues() {
		synchronized (this.store) {
			return this.store.listed();
		}
	}

	@Override
	public boolean exists(String queue) {
		return queues().contains(queue);
	}

	@Override
	public Optional<QueueStats> stats(String name) {
		synchronized (this.store) {
			return exists(name) ? Optional.of(numbers(name)) : Optional.empty();
		}
	}

	@Override
	public List<DailyStats> history(String name, LocalDate last, int days) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			return IntStream.range(0, days).mapToObj((i) -> {
				Counters counters = queue.counters(last.minusDays(i));
				return new DailyStats(name, last.minusDays(i), counters.processed(), counters.failed());
			}).toList();
		}
	}

	@Override
	public List<GroupInfo> groups(String name) {
		synchronized (this.store) {
			Map<String, Long> sizes = new TreeMap<>();
			this.store.queue(name)
				.in(TaskState.AGGREGATING)
				.forEach((task) -> sizes.merge(String.valueOf(task.group), 1L, Long::sum));
			return sizes.entrySet().stream().map((group) -> new GroupInfo(group.getKey(), group.getValue())).toList();
		}
	}

	@Override
	public Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size) {
		return new Listing<>(groups(queue), null);
	}

	@Override
	public long groupSize(String queue, String group) {
		synchronized (this.store) {
			return this.store.queue(queue).inGroup(group).size();
		}
	}

	@Override
	public long memoryUsage(String queue) {
		throw Unsupported.operation("QueueReader.memoryUsage", "the memory that a queue takes");
	}

	@Override
	public void ping() {
		// Memory answers
	}

	/**
	 * Returns the numbers of a queue, also of one that does not exist.
	 */
	QueueStats numbers(String name) {
		synchronized (this.store) {
			return numbers(this.store.queue(name));
		}
	}

	private QueueStats numbers(MemoryQueue queue) {
		Instant now = this.store.now();
		Map<TaskState, Long> sizes = new EnumMap<>(TaskState.class);
		TaskState.stored().forEach((state) -> sizes.put(state, (long) queue.in(state).size()));
		long groups = queue.in(TaskState.AGGREGATING).stream().map((task) -> task.group).distinct().count();
		StoredTask next = queue.next();
		Duration latency = (next != null && next.pendingSince != null && next.pendingSince.isBefore(now))
				? Duration.between(next.pendingSince, now) : Duration.ZERO;
		return new QueueStats(sizes, groups, latency, queue.counters(MemoryQueue.day(now)), queue.total(),
				queue.isPaused());
	}

}
