package io.asynq.operations.survey;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

import io.asynq.AsynqException;
import io.asynq.Broker;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.operations.TaskSelection;
import org.jspecify.annotations.Nullable;

/**
 * Each call looks at so many tasks and so many bytes of payload at most, and only one
 * slice is in memory at a time.
 */
public final class TaskSearch {

	public static final int SCAN_LIMIT = 10_000;

	public static final int MOST = 200;

	/** Redis sends these in half a second over a slow network. */
	private static final long MOST_BYTES = 64L * 1024 * 1024;

	private final QueueReader queues;

	private final TaskSurvey tasks;

	private final Clock clock;

	private final int scanLimit;

	public TaskSearch(Broker broker, Clock clock) {
		this(broker, clock, SCAN_LIMIT);
	}

	public TaskSearch(Broker broker, Clock clock, int scanLimit) {
		this.queues = RedisBroker.of(broker).queues();
		this.tasks = new TaskSurvey(broker);
		this.clock = clock;
		this.scanLimit = scanLimit;
	}

	/**
	 * @param line what is kept of each task; without its payload many fit into memory
	 */
	public <T> FoundTasks<T> find(TaskRange range, TaskFilter filter, @Nullable String cursor, int size,
			Function<TaskInfo, T> line) {
		return find(range, filter.isAll() ? null : filter::passes, cursor, size, line);
	}

	public <T> FoundTasks<T> find(TaskSelection tasks, @Nullable String cursor, int size, Function<TaskInfo, T> line) {
		return find(new TaskRange(tasks.queue(), tasks.state(), tasks.group()), tasks.options()::chooses, cursor, size,
				line);
	}

	private <T> FoundTasks<T> find(TaskRange range, @Nullable BiPredicate<TaskInfo, Instant> condition,
			@Nullable String cursor, int size, Function<TaskInfo, T> line) {
		if (size < 1 || size > MOST) {
			throw new AsynqException("Parameter 'size' must be from 1 to " + MOST + ", but is " + size);
		}
		Instant now = this.clock.instant();
		long from = position(cursor);
		long total = count(range);
		List<T> found = new ArrayList<>();
		long offset = walk(range, from, (condition != null) ? this.scanLimit : size, (task) -> {
			if (condition == null || condition.test(task, now)) {
				found.add(line.apply(task));
			}
			return found.size() < size;
		});
		return new FoundTasks<>(found, (offset < total && offset > from) ? String.valueOf(offset) : null,
				Math.min(offset, total), total);
	}

	/**
	 * Returns how many to pass over to go on.
	 * @param visitor returns whether it wants more
	 */
	public long walk(TaskRange range, long from, long limit, Predicate<TaskInfo> visitor) {
		long offset = from;
		long bytes = 0;
		while (offset < from + limit && bytes < MOST_BYTES) {
			int step = (int) Math.min(TaskSurvey.SLICE, from + limit - offset);
			TaskSurvey.Slice slice = this.tasks.slice(range.queue(), range.state(), range.group(), offset, step);
			if (slice.looked() == 0) {
				return offset;
			}
			for (int i = 0; i < slice.tasks().size(); i++) {
				TaskInfo task = slice.tasks().get(i);
				bytes += size(task.payload()) + size(task.result());
				if (!visitor.test(task)) {
					// Those that cannot be decoded are left out; behind them some tasks
					// come twice
					return offset + i + 1;
				}
			}
			offset += slice.looked();
		}
		return offset;
	}

	public long count(TaskRange range) {
		String group = range.group();
		if (group != null) {
			requireQueue(range.queue());
			return this.queues.groupSize(range.queue(), group);
		}
		return this.queues.stats(range.queue())
			.orElseThrow(() -> new QueueNotFoundException(range.queue()))
			.sizes()
			.getOrDefault(range.state(), 0L);
	}

	Optional<QueueStats> stats(String queue) {
		return this.queues.stats(queue);
	}

	public int scanLimit() {
		return this.scanLimit;
	}

	private void requireQueue(String queue) {
		if (!this.queues.exists(queue)) {
			throw new QueueNotFoundException(queue);
		}
	}

	static long position(@Nullable String cursor) {
		if (cursor == null) {
			return 0;
		}
		if (!cursor.matches("\\d{1,12}")) {
			throw new AsynqException(
					"Parameter 'cursor' must be the 'next' of an earlier answer, but is '" + cursor + "'");
		}
		return Long.parseLong(cursor);
	}

	private static int size(byte @Nullable [] bytes) {
		return (bytes != null) ? bytes.length : 0;
	}

}
