package io.asynq.spring.boot.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.asynq.TaskState;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.EndedLease;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.TaskUpkeep;
import org.jspecify.annotations.Nullable;

/**
 * Forwards due tasks and deletes what has been kept long enough. Leases do not end, so
 * none is lost.
 */
final class MemoryUpkeep implements TaskUpkeep {

	private static final int AT_ONCE = 100;

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final String SUBJECT = "a lost lease";

	private final MemoryStore store;

	MemoryUpkeep(MemoryStore store) {
		this.store = store;
	}

	@Override
	public Forwarded forward(String name) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			Instant now = this.store.now();
			int moved = 0;
			boolean more = false;
			Long lowest = null;
			for (TaskState source : List.of(TaskState.SCHEDULED, TaskState.RETRY)) {
				List<StoredTask> due = due(queue, source, now);
				due.stream().limit(AT_ONCE).forEach((task) -> forward(queue, task, now));
				moved += Math.min(due.size(), AT_ONCE);
				more |= due.size() > AT_ONCE;
				List<StoredTask> left = queue.in(source);
				if (!left.isEmpty() && (lowest == null || left.get(0).score < lowest)) {
					lowest = left.get(0).score;
				}
			}
			return new Forwarded(moved, more, instant(lowest), now);
		}
	}

	@Override
	public int deleteExpired(String name, int limit) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			List<StoredTask> expired = due(queue, TaskState.COMPLETED, this.store.now()).stream().limit(limit).toList();
			expired.forEach(queue::delete);
			return expired.size();
		}
	}

	@Override
	public Duration leaseDuration() {
		return LEASE;
	}

	@Override
	public void extend(String queue, Collection<Lease> leases) {
		// They do not end
	}

	@Override
	public EndedLease.Page ending(String queue, Duration ahead, Duration longestGap, int offset, int limit) {
		throw Unsupported.operation("TaskUpkeep.ending", SUBJECT);
	}

	@Override
	public List<LeasedTask> claim(String queue, Collection<EndedLease> ended) {
		throw Unsupported.operation("TaskUpkeep.claim", SUBJECT);
	}

	@Override
	public List<String> withoutLease(String queue) {
		throw Unsupported.operation("TaskUpkeep.withoutLease", SUBJECT);
	}

	@Override
	public int attachLease(String queue, Collection<String> ids, Duration length) {
		throw Unsupported.operation("TaskUpkeep.attachLease", SUBJECT);
	}

	/** A delayed task joins its group once; one that was in a group goes back to it. */
	private static void forward(MemoryQueue queue, StoredTask task, Instant now) {
		String group = task.group;
		if (group == null && task.state == TaskState.SCHEDULED) {
			group = task.laterGroup;
		}
		if (group == null || group.isEmpty()) {
			queue.toPending(task, now);
			return;
		}
		task.group = group;
		task.laterGroup = null;
		queue.toSorted(task, TaskState.AGGREGATING, now.getEpochSecond());
	}

	private static List<StoredTask> due(MemoryQueue queue, TaskState state, Instant now) {
		return queue.in(state).stream().filter((task) -> task.score <= now.getEpochSecond()).toList();
	}

	private static @Nullable Instant instant(@Nullable Long seconds) {
		return (seconds != null) ? Text.instant(seconds) : null;
	}

}
