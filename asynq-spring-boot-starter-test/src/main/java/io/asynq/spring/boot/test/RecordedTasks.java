package io.asynq.spring.boot.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.AsynqException;
import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.QueueStats.Counters;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.enqueue.TaskEnqueuer;
import io.asynq.internal.inspect.ManyQueues;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that a test's application has enqueued, and what has become of them by a
 * clock that the test moves. Nothing moves or runs unless it is called.
 */
final class RecordedTasks implements TaskEnqueuer, ManyQueues {

	private static final int DUPLICATE = -1;

	private static final int ID_CONFLICT = 0;

	/** A test may stand at a breakpoint. */
	private static final Duration FOR_EVER = Duration.ofDays(365);

	private static final long ARCHIVED_SECONDS = Duration.ofDays(90).toSeconds();

	private static final Counters NONE = new Counters(0, 0);

	private final Clock clock;

	private final Consumer<List<EnqueueRequest>> listener;

	/** By name and id; a queue is there from its first task on. */
	private final Map<String, Map<String, RecordedTask>> queues = new TreeMap<>();

	private final Map<String, UniqueLock> locks = new HashMap<>();

	private final Map<String, Map<LocalDate, Counters>> counters = new HashMap<>();

	private final Set<String> paused = new TreeSet<>();

	private long arrivals;

	/**
	 * @param listener told of the tasks of one call, which may run them
	 */
	RecordedTasks(Clock clock, Consumer<List<EnqueueRequest>> listener) {
		this.clock = clock;
		this.listener = listener;
	}

	@Override
	public void enqueue(EnqueueRequest request) {
		enqueueAll(List.of(request)).get(0).ifPresent((error) -> {
			throw error;
		});
	}

	@Override
	public List<Optional<AsynqException>> enqueueAll(List<EnqueueRequest> requests) {
		List<Optional<AsynqException>> results = new ArrayList<>(requests.size());
		List<EnqueueRequest> stored = new ArrayList<>(requests.size());
		synchronized (this) {
			for (EnqueueRequest request : requests) {
				Optional<AsynqException> refusal = add(request, List.of());
				results.add(refusal);
				if (refusal.isEmpty()) {
					stored.add(request);
				}
			}
		}
		tell(stored);
		return results;
	}

	@Override
	public void ping() {
		// There is nothing to reach
	}

	synchronized void clear() {
		this.queues.clear();
		this.locks.clear();
		this.counters.clear();
		this.paused.clear();
	}

	/** Whatever waits before it; the listener is not told. */
	synchronized LeasedTask take(EnqueueRequest request) {
		add(request, List.of()).ifPresent((error) -> {
			throw error;
		});
		return begin(Objects.requireNonNull(find(request.message().queue(), request.message().id())));
	}

	synchronized @Nullable LeasedTask take(String queue) {
		List<RecordedTask> pending = this.paused.contains(queue) ? List.of() : in(queue, TaskState.PENDING);
		return pending.isEmpty() ? null : begin(pending.get(0));
	}

	synchronized boolean writeResult(Lease lease, byte[] result) {
		RecordedTask task = find(lease.queue(), lease.taskId());
		boolean runs = task != null && task.attempt != null && task.attempt.lease() == lease;
		if (runs) {
			task.result = result.clone();
		}
		return runs;
	}

	/**
	 * Returns the outcome that counts, {@code null} if the task is gone or runs again.
	 */
	synchronized @Nullable Outcome end(Outcome outcome) {
		RecordedTask task = find(outcome.message().queue(), outcome.message().id());
		if (task == null || task.attempt != outcome.task()) {
			return null;
		}
		Instant now = this.clock.instant();
		if (outcome instanceof Outcome.Done) {
			delete(task);
			count(task, 1, 0);
		}
		else if (outcome instanceof Outcome.Completed completed) {
			task.result = (completed.result() != null) ? completed.result().clone() : task.result;
			task.message = completed.stored(now);
			move(task, TaskState.COMPLETED, seconds() + task.message.retentionSeconds());
			release(task);
			count(task, 1, 0);
		}
		else if (outcome instanceof Outcome.Retry retry) {
			task.message = wellFormed(retry.stored(now));
			move(task, TaskState.RETRY, now.plus(retry.due().delay()).getEpochSecond());
			count(task, retry.failure() ? 1 : 0, retry.failure() ? 1 : 0);
		}
		else if (outcome instanceof Outcome.Postpone postpone) {
			// Rounded up, a retry is cut
			move(task, TaskState.RETRY, now.plus(postpone.due().delay()).plusNanos(999_999_999).getEpochSecond());
		}
		else if (outcome instanceof Outcome.Unhandled unhandled) {
			return await(task, unhandled);
		}
		else if (outcome instanceof Outcome.Archive archive) {
			archive(task, archive.stored(now));
			count(task, 1, 1);
		}
		else {
			move(task, TaskState.PENDING, 0);
			task.order = -this.arrivals;
		}
		return outcome;
	}

	/** What servers do for all queues as time goes by. */
	synchronized void settle() {
		names().forEach(this::settle);
	}

	synchronized void settle(String queue) {
		for (TaskState state : List.of(TaskState.SCHEDULED, TaskState.RETRY)) {
			due(queue, state).forEach((task) -> {
				// A delayed task joins its group the first time that it is due
				task.joined |= task.state == TaskState.SCHEDULED && !task.message.group().isEmpty();
				move(task, task.joined ? TaskState.AGGREGATING : TaskState.PENDING, seconds());
			});
		}
		due(queue, TaskState.COMPLETED).forEach(this::delete);
	}

	synchronized List<String> dueGroups(String queue, GroupLimits limits) {
		return groups(queue).keySet().stream().filter((group) -> !members(queue, group, limits).isEmpty()).toList();
	}

	/** Returns the oldest tasks of a group, none if it is not due. */
	synchronized List<TaskMessage> members(String queue, String group, GroupLimits limits) {
		List<RecordedTask> all = groups(queue).getOrDefault(group, List.of());
		boolean full = limits.maxSize() > 0 && all.size() >= limits.maxSize();
		if (all.isEmpty() || !full && dueAt(all, limits) > seconds()) {
			return List.of();
		}
		return all.stream()
			.sorted(RecordedTask.BY_ARRIVAL)
			.limit(full ? limits.maxSize() : all.size())
			.map((task) -> task.message)
			.toList();
	}

	/**
	 * Puts a task in the place of others, whose lock may pass to it.
	 * @throws AsynqException if it is refused, and nothing has changed
	 */
	void replace(List<TaskMessage> members, EnqueueRequest request) {
		synchronized (this) {
			List<RecordedTask> present = present(members);
			add(request, present).ifPresent((error) -> {
				throw error;
			});
			present.forEach(this::delete);
		}
		tell(List.of(request));
	}

	synchronized void archive(List<TaskMessage> members, String error) {
		present(members).forEach((task) -> {
			archive(task, task.message.failed(error, this.clock.instant()).build());
			count(task, 1, 1);
		});
	}

	@Override
	public synchronized Set<String> names() {
		return new TreeSet<>(this.queues.keySet());
	}

	@Override
	public synchronized Answer<QueueStats> stats(Collection<String> queues) {
		Map<String, QueueStats> values = new TreeMap<>();
		queues.forEach((queue) -> values.put(queue, stats(queue)));
		return new Answer<>(values, Map.of());
	}

	/** The only server is this application's, which is not listed. */
	@Override
	public Map<String, Long> consumers() {
		return Map.of();
	}

	/** Nobody knows, so the meter has no value. */
	@Override
	public Answer<Long> memoryUsage(Map<String, QueueStats> queues) {
		return new Answer<>(Map.of(), Map.of());
	}

	/** Returns zeros for a queue that does not exist. */
	synchronized QueueStats stats(String queue) {
		Map<TaskState, Long> sizes = new EnumMap<>(TaskState.class);
		TaskState.stored().forEach((state) -> sizes.put(state, (long) in(queue, state).size()));
		Map<LocalDate, Counters> days = this.counters.getOrDefault(queue, Map.of());
		return new QueueStats(sizes, groups(queue).size(), latency(queue), counted(queue, today()),
				days.values().stream().reduce(NONE, RecordedTasks::sum), this.paused.contains(queue));
	}

	/** Returns how long the next task has waited. */
	synchronized Duration latency(String queue) {
		List<RecordedTask> pending = in(queue, TaskState.PENDING);
		Instant since = pending.isEmpty() ? null : pending.get(0).pendingSince;
		Duration waited = (since != null) ? Duration.between(since, this.clock.instant()) : Duration.ZERO;
		return waited.isNegative() ? Duration.ZERO : waited;
	}

	synchronized Counters counted(String queue, LocalDate day) {
		return this.counters.getOrDefault(queue, Map.of()).getOrDefault(day, NONE);
	}

	synchronized @Nullable RecordedTask find(String queue, String id) {
		return this.queues.getOrDefault(queue, Map.of()).get(id);
	}

	/** Returns the tasks of a state in Redis's order. */
	synchronized List<RecordedTask> in(String queue, TaskState state) {
		boolean queued = state == TaskState.PENDING || state == TaskState.ACTIVE;
		return this.queues.getOrDefault(queue, Map.of())
			.values()
			.stream()
			.filter((task) -> task.state == state)
			.sorted(queued ? RecordedTask.BY_ARRIVAL : RecordedTask.BY_SCORE)
			.toList();
	}

	synchronized Map<String, List<RecordedTask>> groups(String queue) {
		return in(queue, TaskState.AGGREGATING).stream()
			.collect(Collectors.groupingBy((task) -> task.message.group(), TreeMap::new, Collectors.toList()));
	}

	/** Returns whether that changes anything. */
	synchronized boolean pause(String queue, boolean pause) {
		return pause ? this.paused.add(queue) : this.paused.remove(queue);
	}

	synchronized void run(RecordedTask task, boolean fresh) {
		task.message = fresh ? task.message.toBuilder().retried(0).build() : task.message;
		move(task, TaskState.PENDING, 0);
	}

	/** Archives the task as it is, and forgets those that were archived long ago. */
	synchronized void archive(RecordedTask task) {
		move(task, TaskState.ARCHIVED, seconds());
		in(task.message.queue(), TaskState.ARCHIVED).stream()
			.filter((old) -> old.score <= seconds() - ARCHIVED_SECONDS)
			.forEach(this::delete);
	}

	synchronized void delete(RecordedTask task) {
		this.queues.getOrDefault(task.message.queue(), new HashMap<>()).remove(task.message.id());
		release(task);
	}

	/**
	 * @param giving the tasks whose lock may pass to it
	 */
	private Optional<AsynqException> add(EnqueueRequest request, List<RecordedTask> giving) {
		NewTask created = NewTask.of(request);
		TaskMessage message = created.message();
		Map<String, RecordedTask> queue = this.queues.computeIfAbsent(message.queue(), (name) -> new HashMap<>());
		RecordedTask present = queue.get(message.id());
		boolean replaced = created.replaces() && present != null && present.state == TaskState.ARCHIVED;
		String holder = (request.lockTtl() != null) ? holder(message.uniqueKey()) : null;
		if (holder != null && !(replaced && holder.equals(message.id()))
				&& giving.stream().noneMatch((task) -> holder.equals(task.message.id()))) {
			return Refusal.of(message, DUPLICATE);
		}
		if (replaced) {
			delete(present);
		}
		else if (present != null) {
			return Refusal.of(message, ID_CONFLICT);
		}
		if (request.lockTtl() != null) {
			this.locks.put(message.uniqueKey(),
					new UniqueLock(message.id(), this.clock.instant().plus(request.lockTtl())));
		}
		RecordedTask task = new RecordedTask(asStored(created.bytes()));
		task.joined = request.placement() instanceof Placement.Grouped;
		queue.put(message.id(), task);
		move(task, created.state(),
				(request.placement() instanceof Placement.Scheduled later) ? later.at().getEpochSecond() : seconds());
		return Optional.empty();
	}

	/** What Redis would return, such as text without half characters. */
	private static TaskMessage asStored(byte[] bytes) {
		try {
			return TaskMessageCodec.decode(bytes);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new IllegalStateException("Encoded a moment ago", ex);
		}
	}

	private void tell(List<EnqueueRequest> stored) {
		if (!stored.isEmpty()) {
			this.listener.accept(stored);
		}
	}

	private LeasedTask begin(RecordedTask task) {
		move(task, TaskState.ACTIVE, 0);
		LeasedTask attempt = new LeasedTask(task.message, new Lease(task.message.queue(), task.message.id(),
				UUID.randomUUID().toString(), System.nanoTime() + FOR_EVER.toNanos()));
		task.attempt = attempt;
		return attempt;
	}

	private Outcome await(RecordedTask task, Outcome.Unhandled unhandled) {
		long since = (task.unhandledSince != null) ? task.unhandledSince : seconds();
		long waited = seconds() - since;
		if (waited >= unhandled.maxAge().toSeconds()) {
			return Objects.requireNonNull(end(unhandled.overdue()));
		}
		task.unhandledSince = since;
		task.message = wellFormed(unhandled.stored(this.clock.instant()));
		move(task, TaskState.RETRY, seconds() + Math.max(1, Math.min(waited, unhandled.longest().toSeconds())));
		return unhandled;
	}

	private void archive(RecordedTask task, TaskMessage message) {
		task.message = wellFormed(message);
		archive(task);
	}

	private void move(RecordedTask task, TaskState state, long score) {
		task.state = state;
		task.score = score;
		task.order = ++this.arrivals;
		task.pendingSince = (state == TaskState.PENDING) ? this.clock.instant() : null;
		task.attempt = null;
	}

	private List<RecordedTask> due(String queue, TaskState state) {
		return in(queue, state).stream().filter((task) -> task.score <= seconds()).toList();
	}

	private static long dueAt(List<RecordedTask> group, GroupLimits limits) {
		long quiet = group.get(group.size() - 1).score + limits.gracePeriod().toSeconds();
		return limits.maxDelay().isZero() ? quiet : Math.min(quiet, group.get(0).score + limits.maxDelay().toSeconds());
	}

	private List<RecordedTask> present(List<TaskMessage> members) {
		return members.stream()
			.map((member) -> find(member.queue(), member.id()))
			.filter((task) -> task != null && task.state == TaskState.AGGREGATING)
			.toList();
	}

	private @Nullable String holder(String key) {
		UniqueLock lock = this.locks.get(key);
		return (lock != null && lock.end().isAfter(this.clock.instant())) ? lock.id() : null;
	}

	private void release(RecordedTask task) {
		if (task.message.id().equals(holder(task.message.uniqueKey()))) {
			this.locks.remove(task.message.uniqueKey());
		}
	}

	private void count(RecordedTask task, int processed, int failed) {
		this.counters.computeIfAbsent(task.message.queue(), (queue) -> new HashMap<>())
			.merge(today(), new Counters(processed, failed), RecordedTasks::sum);
	}

	private LocalDate today() {
		return LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
	}

	private long seconds() {
		return this.clock.instant().getEpochSecond();
	}

	private static Counters sum(Counters one, Counters other) {
		return new Counters(one.processed() + other.processed(), one.failed() + other.failed());
	}

	private static TaskMessage wellFormed(TaskMessage message) {
		return message.toBuilder().errorMessage(TaskMessageCodec.wellFormed(message.errorMessage())).build();
	}

	private record UniqueLock(String id, Instant end) {
	}

}
