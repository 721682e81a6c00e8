package io.asynq.spring.boot.test.memory;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.asynq.TaskState;
import io.asynq.inspect.QueueStats.Counters;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one queue, each in one container. Used with the store's lock held.
 */
final class MemoryQueue {

	private static final long ARCHIVE_AGE_SECONDS = 90L * 24 * 60 * 60;

	private static final int ARCHIVE_SIZE = 10_000;

	private static final Counters NONE = new Counters(0, 0);

	private final Map<String, StoredTask> tasks = new HashMap<>();

	/** The next one comes first. */
	private final Deque<StoredTask> pending = new ArrayDeque<>();

	/** The one that was taken first comes first. */
	private final List<StoredTask> active = new ArrayList<>();

	private final Map<LocalDate, Counters> days = new HashMap<>();

	private long arrivals;

	private boolean paused;

	@Nullable StoredTask find(String id) {
		return this.tasks.get(id);
	}

	void add(StoredTask task) {
		this.tasks.put(task.message.id(), task);
	}

	void delete(StoredTask task) {
		leave(task);
		this.tasks.remove(task.message.id());
	}

	void toPending(StoredTask task, Instant now) {
		leave(task);
		become(task, TaskState.PENDING, 0);
		task.pendingSince = now;
		this.pending.addLast(task);
	}

	void toFront(StoredTask task, Instant now) {
		leave(task);
		become(task, TaskState.PENDING, 0);
		task.pendingSince = now;
		this.pending.addFirst(task);
	}

	void toActive(StoredTask task, String fence) {
		leave(task);
		become(task, TaskState.ACTIVE, 0);
		task.fence = fence;
		this.active.add(task);
	}

	/**
	 * Moves a task to a state that is ordered by a score.
	 */
	void toSorted(StoredTask task, TaskState state, long score) {
		leave(task);
		become(task, state, score);
		task.arrival = (state == TaskState.AGGREGATING) ? ++this.arrivals : 0;
	}

	/**
	 * Moves tasks to the archive, and deletes others that are too old or too many.
	 * @return what was deleted
	 */
	List<StoredTask> toArchive(List<StoredTask> archived, long nowSeconds) {
		archived.forEach((task) -> toSorted(task, TaskState.ARCHIVED, nowSeconds));
		List<StoredTask> all = in(TaskState.ARCHIVED);
		int excess = all.size() - ARCHIVE_SIZE;
		List<StoredTask> gone = new ArrayList<>();
		for (int i = 0; i < all.size(); i++) {
			StoredTask old = all.get(i);
			if ((i < excess || old.score <= nowSeconds - ARCHIVE_AGE_SECONDS) && !archived.contains(old)) {
				gone.add(old);
			}
		}
		gone.forEach(this::delete);
		return gone;
	}

	@Nullable StoredTask next() {
		return this.pending.peekFirst();
	}

	/**
	 * Returns the tasks of a state in Redis's order, without those that were taken out of
	 * their group.
	 */
	List<StoredTask> in(TaskState state) {
		return switch (state) {
			case PENDING -> new ArrayList<>(this.pending);
			case ACTIVE -> new ArrayList<>(this.active);
			default -> inOrder((task) -> task.state == state && task.staged == null);
		};
	}

	List<StoredTask> inStagedSet(String set) {
		return this.tasks.values()
			.stream()
			.filter((task) -> set.equals(task.staged))
			.sorted(StoredTask.BY_ARRIVAL)
			.toList();
	}

	List<StoredTask> inGroup(String group) {
		return in(TaskState.AGGREGATING).stream().filter((task) -> group.equals(task.group)).toList();
	}

	boolean isPaused() {
		return this.paused;
	}

	void pause(boolean paused) {
		this.paused = paused;
	}

	void count(Instant now, int processed, int failed) {
		this.days.merge(day(now), new Counters(processed, failed), MemoryQueue::sum);
	}

	Counters counters(LocalDate day) {
		return this.days.getOrDefault(day, NONE);
	}

	Counters total() {
		return this.days.values().stream().reduce(NONE, MemoryQueue::sum);
	}

	static LocalDate day(Instant now) {
		return LocalDate.ofInstant(now, ZoneOffset.UTC);
	}

	private List<StoredTask> inOrder(Predicate<StoredTask> wanted) {
		return this.tasks.values().stream().filter(wanted).sorted(StoredTask.BY_SCORE).toList();
	}

	private void leave(StoredTask task) {
		if (task.state == TaskState.PENDING) {
			this.pending.remove(task);
		}
		else if (task.state == TaskState.ACTIVE) {
			this.active.remove(task);
		}
	}

	private static void become(StoredTask task, TaskState state, long score) {
		task.state = state;
		task.score = score;
		task.fence = null;
		task.pendingSince = null;
		task.staged = null;
	}

	private static Counters sum(Counters one, Counters other) {
		return new Counters(one.processed() + other.processed(), one.failed() + other.failed());
	}

}
