package io.asynq.operate.survey;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

import io.asynq.AsynqException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.broker.Broker;
import io.asynq.broker.QueueReader;
import io.asynq.broker.survey.TaskSurvey;
import io.asynq.info.QueueStats;
import io.asynq.operate.TaskSelection;
import io.asynq.operate.filter.TaskFilter;
import org.jspecify.annotations.Nullable;

/**
 * Searches the tasks of a queue, a bounded part at each call: so many tasks, and so many
 * bytes of payload. Only one slice is in memory at a time. Safe for concurrent use.
 */
public final class TaskSearch {

	/** At how many tasks one call looks at most. */
	public static final int SCAN_LIMIT = 10_000;

	/** How many tasks one call returns at most. */
	public static final int MOST = 200;

	/** Redis sends these in half a second over a slow network. */
	private static final long MOST_BYTES = 64L * 1024 * 1024;

	private final QueueReader queues;

	private final TaskSurvey tasks;

	private final Clock clock;

	private final int scanLimit;

	/**
	 * @param clock what ages are measured by
	 * @param scanLimit at how many tasks one call looks at most
	 */
	public TaskSearch(QueueReader queues, TaskSurvey tasks, Clock clock, int scanLimit) {
		this.queues = queues;
		this.tasks = tasks;
		this.clock = clock;
		this.scanLimit = scanLimit;
	}

	/** Creates a search with the usual limit. */
	public static TaskSearch create(Broker broker, Clock clock) {
		return new TaskSearch(broker.queues(), broker.taskSurvey(), clock, SCAN_LIMIT);
	}

	/**
	 * Finds tasks that pass a filter.
	 * @param cursor the {@code next} of an earlier answer, {@code null} to begin
	 * @param size how many to return at most, from 1 to {@value #MOST}
	 * @param line what is kept of each task; without its payload many fit into memory
	 */
	public <T> FoundTasks<T> find(TaskRange range, TaskFilter filter, @Nullable String cursor, int size,
			Function<TaskInfo, T> line) {
		return find(range, filter.isAll() ? null : filter::passes, cursor, size, line);
	}

	/**
	 * Finds tasks that meet the conditions of a selection.
	 * @param cursor the {@code next} of an earlier answer, {@code null} to begin
	 * @param size how many to return at most, from 1 to {@value #MOST}
	 * @param line what is kept of each task
	 */
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
		long from = Cursors.position(cursor);
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
	 * Shows tasks to a visitor until it has enough, all were seen, or a limit is reached.
	 * @param from how many to pass over
	 * @param limit at how many to look
	 * @param visitor returns whether it wants more
	 * @return how many to pass over to go on
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

	/** Counts the tasks of a range. */
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

	/** Reads the numbers of a queue, if it exists. */
	Optional<QueueStats> stats(String queue) {
		return this.queues.stats(queue);
	}

	/** At how many tasks one call looks. */
	public int scanLimit() {
		return this.scanLimit;
	}

	private void requireQueue(String queue) {
		if (!this.queues.exists(queue)) {
			throw new QueueNotFoundException(queue);
		}
	}

	private static int size(byte @Nullable [] bytes) {
		return (bytes != null) ? bytes.length : 0;
	}

}
