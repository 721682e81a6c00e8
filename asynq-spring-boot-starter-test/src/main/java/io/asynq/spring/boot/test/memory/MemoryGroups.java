package io.asynq.spring.boot.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.group.StagedGroup;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.CrashRecord;
import org.jspecify.annotations.Nullable;

/**
 * Turns groups into tasks. Staged sets do not expire, as leases do not.
 */
final class MemoryGroups implements GroupStore {

	private static final Duration FOR_EVER = Duration.ofDays(365);

	private static final Duration LONGEST_WAIT = Duration.ofDays(1);

	private final MemoryStore store;

	private final MemoryEnqueuer enqueuer;

	MemoryGroups(MemoryStore store, MemoryEnqueuer enqueuer) {
		this.store = store;
		this.enqueuer = enqueuer;
	}

	@Override
	public DueGroups due(String queue, GroupLimits limits, @Nullable String from) {
		synchronized (this.store) {
			Map<String, List<StoredTask>> groups = this.store.queue(queue)
				.in(TaskState.AGGREGATING)
				.stream()
				.collect(Collectors.groupingBy((task) -> String.valueOf(task.group), LinkedHashMap::new,
						Collectors.toList()));
			List<String> due = new ArrayList<>();
			Long earliest = null;
			for (Map.Entry<String, List<StoredTask>> group : groups.entrySet()) {
				long at = dueAt(group.getValue(), limits);
				if (at <= this.store.seconds()) {
					due.add(group.getKey());
				}
				else if (earliest == null || at < earliest) {
					earliest = at;
				}
			}
			return new DueGroups(due, (earliest != null) ? until(earliest) : null, null);
		}
	}

	@Override
	public @Nullable StagedGroup stage(String queue, String group, GroupLimits limits) {
		synchronized (this.store) {
			List<StoredTask> tasks = this.store.queue(queue).inGroup(group);
			if (tasks.isEmpty() || dueAt(tasks, limits) > this.store.seconds()) {
				return null;
			}
			String set = UUID.randomUUID().toString();
			List<StoredTask> taken = tasks.stream()
				.sorted(StoredTask.BY_ARRIVAL)
				.limit((limits.maxSize() > 0) ? limits.maxSize() : tasks.size())
				.toList();
			taken.forEach((task) -> task.staged = set);
			return new StagedGroup(queue, group, set, taken.size(),
					Text.instant(this.store.seconds() + FOR_EVER.toSeconds()), System.nanoTime() + FOR_EVER.toNanos());
		}
	}

	@Override
	public List<TaskMessage> read(StagedGroup staged) {
		synchronized (this.store) {
			return members(staged).stream().map((task) -> task.message).toList();
		}
	}

	@Override
	public AggregationStatus finish(StagedGroup staged, List<TaskMessage> members, EnqueueRequest task) {
		NewTask created = NewTask.of(task);
		synchronized (this.store) {
			List<StoredTask> present = members(staged);
			if (present.isEmpty()) {
				return AggregationStatus.EXPIRED;
			}
			Set<String> ids = present.stream().map((member) -> member.message.id()).collect(Collectors.toSet());
			int code = this.enqueuer.add(created, ids);
			if (code != 1) {
				return switch (code) {
					case 0 -> AggregationStatus.ID_CONFLICT;
					case -1 -> AggregationStatus.DUPLICATE;
					default -> throw Refusal.of(created.message(), code).orElseThrow();
				};
			}
			present.forEach((member) -> {
				this.store.queue(staged.queue()).delete(member);
				this.store.release(member.message);
			});
		}
		this.enqueuer.tell(List.of(task));
		return AggregationStatus.ENQUEUED;
	}

	@Override
	public void giveBack(StagedGroup staged) {
		synchronized (this.store) {
			members(staged).forEach((task) -> task.staged = null);
		}
	}

	@Override
	public void archive(StagedGroup staged, List<TaskMessage> members, String error) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(staged.queue());
			Instant now = this.store.now();
			Set<String> ids = members.stream().map(TaskMessage::id).collect(Collectors.toSet());
			List<StoredTask> archived = members(staged).stream()
				.filter((task) -> ids.contains(task.message.id()))
				.toList();
			archived
				.forEach((task) -> task.message = task.message.failed(TaskMessageCodec.wellFormed(error), now).build());
			queue.toArchive(archived, now.getEpochSecond()).forEach((gone) -> this.store.release(gone.message));
			queue.count(now, archived.size(), archived.size());
		}
	}

	@Override
	public CrashRecord begin(StagedGroup staged) {
		return CrashRecord.CLEAN;
	}

	@Override
	public void end(StagedGroup staged, End how) {
		// Nothing survives the crash of this JVM
	}

	private List<StoredTask> members(StagedGroup staged) {
		return this.store.queue(staged.queue()).inStagedSet(staged.set());
	}

	private Duration until(long seconds) {
		Duration until = Duration.between(this.store.now(), Instant.ofEpochSecond(seconds)).plusNanos(999_999);
		return (until.compareTo(LONGEST_WAIT) < 0) ? until.truncatedTo(ChronoUnit.MILLIS) : LONGEST_WAIT;
	}

	/**
	 * Returns when a group is due, in seconds.
	 * @param tasks its tasks, the oldest first
	 */
	private long dueAt(List<StoredTask> tasks, GroupLimits limits) {
		if (limits.maxSize() > 0 && tasks.size() >= limits.maxSize()) {
			return this.store.seconds();
		}
		long at = tasks.get(tasks.size() - 1).score + limits.gracePeriod().toSeconds();
		return limits.maxDelay().isZero() ? at : Math.min(at, tasks.get(0).score + limits.maxDelay().toSeconds());
	}

}
