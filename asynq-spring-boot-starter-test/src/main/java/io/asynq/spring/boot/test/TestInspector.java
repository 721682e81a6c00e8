package io.asynq.spring.boot.test;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.asynq.AsynqException;
import io.asynq.CancelMode;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.CancelResult;
import io.asynq.inspect.ClusterNode;
import io.asynq.inspect.DailyStats;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.LimitInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.Page;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.QueueStats.Counters;
import io.asynq.inspect.RunOptions;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.TaskActionResult;
import org.jspecify.annotations.Nullable;

/** Shows and changes recorded tasks, and refuses what is not about tasks. */
final class TestInspector implements AsynqInspector {

	private static final Set<TaskState> WAITING = Set.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY);

	private static final Set<TaskState> RUNNABLE = Set.of(TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED);

	private static final Set<TaskState> DELETABLE = Set.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY,
			TaskState.ARCHIVED, TaskState.COMPLETED);

	private final RecordedTasks tasks;

	private final Clock clock;

	TestInspector(RecordedTasks tasks, Clock clock) {
		this.tasks = tasks;
		this.clock = clock;
	}

	@Override
	public Set<String> queues() {
		return this.tasks.names();
	}

	@Override
	public QueueInfo queueInfo(String queue) {
		requireQueue(queue);
		return new QueueInfo(queue, this.tasks.stats(queue), this.clock.instant());
	}

	@Override
	public long memoryUsage(String queue) {
		throw refused("memoryUsage");
	}

	@Override
	public List<DailyStats> history(String queue, int days) {
		requireQueue(queue);
		LocalDate today = LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
		return IntStream.range(0, days).mapToObj(today::minusDays).map((day) -> {
			Counters counters = this.tasks.counted(queue, day);
			return new DailyStats(queue, day, counters.processed(), counters.failed());
		}).toList();
	}

	@Override
	public List<LimitInfo> limits() {
		return List.of();
	}

	@Override
	public List<LimitInfo.Key> limitKeys(String limit, int size) {
		return List.of();
	}

	@Override
	public List<GroupInfo> groups(String queue) {
		return this.tasks.groups(queue)
			.entrySet()
			.stream()
			.map((group) -> new GroupInfo(group.getKey(), group.getValue().size()))
			.toList();
	}

	@Override
	public Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size) {
		return new Listing<>(groups(queue), null);
	}

	@Override
	public GroupInfo groupInfo(String queue, String group) {
		return new GroupInfo(group, group(queue, group).size());
	}

	@Override
	public TaskInfo taskInfo(String queue, String id) {
		synchronized (this.tasks) {
			return find(queue, id).info(this.clock.instant());
		}
	}

	@Override
	public List<TaskInfo> listTasks(String queue, TaskState state, Page page) {
		if (state == TaskState.AGGREGATING || state == TaskState.DEFERRED) {
			throw new AsynqException(((state == TaskState.DEFERRED) ? "Deferred tasks wait in the application"
					: "Aggregating tasks are listed by group, with listAggregatingTasks"));
		}
		requireQueue(queue);
		return infos(this.tasks.in(queue, state), page);
	}

	@Override
	public List<TaskInfo> listAggregatingTasks(String queue, String group, Page page) {
		requireQueue(queue);
		return infos(group(queue, group), page);
	}

	@Override
	public void runTask(String queue, String id, RunOptions options) {
		run(find(queue, id), options.isFresh());
	}

	@Override
	public void archiveTask(String queue, String id) {
		archive(find(queue, id));
	}

	@Override
	public void deleteTask(String queue, String id) {
		delete(find(queue, id));
	}

	@Override
	public void updateTaskPayload(String queue, String id, byte[] payload) {
		RecordedTask task = find(queue, id);
		synchronized (this.tasks) {
			if (task.state != TaskState.SCHEDULED) {
				throw new TaskStateException(queue, id, task.state,
						"keeps its payload: only that of a scheduled task can be replaced");
			}
			task.message = task.message.toBuilder().payload(payload.clone()).build();
		}
	}

	@Override
	public List<TaskActionResult> runTasks(String queue, Collection<String> ids, RunOptions options) {
		return each(queue, ids, (task) -> run(task, options.isFresh()));
	}

	@Override
	public List<TaskActionResult> archiveTasks(String queue, Collection<String> ids) {
		return each(queue, ids, this::archive);
	}

	@Override
	public List<TaskActionResult> deleteTasks(String queue, Collection<String> ids) {
		return each(queue, ids, this::delete);
	}

	@Override
	public long runAllTasks(String queue, TaskState state, RunOptions options) {
		List<RecordedTask> chosen = all(queue, state, RUNNABLE).stream()
			.filter((task) -> options.chooses(task.info(this.clock.instant()), this.clock.instant()))
			.toList();
		return all(chosen, (task) -> run(task, options.isFresh()));
	}

	@Override
	public long archiveAllTasks(String queue, TaskState state) {
		return all(all(queue, state, WAITING), this::archive);
	}

	@Override
	public long deleteAllTasks(String queue, TaskState state) {
		return all(all(queue, state, DELETABLE), this::delete);
	}

	@Override
	public long runAllAggregatingTasks(String queue, String group) {
		requireQueue(queue);
		return all(group(queue, group), (task) -> run(task, false));
	}

	@Override
	public long archiveAllAggregatingTasks(String queue, String group) {
		requireQueue(queue);
		return all(group(queue, group), this::archive);
	}

	@Override
	public long deleteAllAggregatingTasks(String queue, String group) {
		requireQueue(queue);
		return all(group(queue, group), this::delete);
	}

	@Override
	public void pauseQueue(String queue) {
		if (!this.tasks.pause(queue, true)) {
			throw new QueueStateException("Queue '" + queue + "' is already paused");
		}
	}

	@Override
	public void resumeQueue(String queue) {
		if (!this.tasks.pause(queue, false)) {
			throw new QueueStateException("Queue '" + queue + "' is not paused");
		}
	}

	/** Reaches the servers that are listening: none. */
	@Override
	public void cancelTask(String id) {
	}

	@Override
	public CancelResult cancelTask(String queue, String id, CancelMode mode) {
		RecordedTask task = find(queue, id);
		if (task.state == TaskState.ACTIVE) {
			if (mode == CancelMode.RETRY) {
				return CancelResult.SIGNAL_SENT;
			}
			throw refused("cancelTask");
		}
		if (mode == CancelMode.RETRY || task.state == TaskState.ARCHIVED || task.state == TaskState.COMPLETED) {
			throw new TaskStateException(queue, id, task.state,
					"cannot be cancelled: it has ended, or no server is working on it");
		}
		if (mode == CancelMode.ARCHIVE) {
			archive(task);
			return CancelResult.ARCHIVED;
		}
		delete(task);
		return CancelResult.DELETED;
	}

	@Override
	public void deleteQueue(String queue, boolean force) {
		throw refused("deleteQueue");
	}

	@Override
	public List<ServerInfo> servers() {
		throw refused("servers");
	}

	@Override
	public List<SchedulerEntry> schedulerEntries() {
		throw refused("schedulerEntries");
	}

	@Override
	public List<EnqueueEvent> schedulerEnqueueEvents(String entryId, Page page) {
		throw refused("schedulerEnqueueEvents");
	}

	@Override
	public int clusterKeySlot(String queue) {
		throw refused("clusterKeySlot");
	}

	@Override
	public List<ClusterNode> clusterNodes(String queue) {
		throw refused("clusterNodes");
	}

	private void run(RecordedTask task, boolean fresh) {
		synchronized (this.tasks) {
			requireOther(task, TaskState.PENDING, "run");
			this.tasks.run(task, fresh);
		}
	}

	private void archive(RecordedTask task) {
		synchronized (this.tasks) {
			requireOther(task, TaskState.ARCHIVED, "archived");
			this.tasks.archive(task);
		}
	}

	private void delete(RecordedTask task) {
		synchronized (this.tasks) {
			requireOther(task, TaskState.ACTIVE, "deleted");
			this.tasks.delete(task);
		}
	}

	private List<TaskActionResult> each(String queue, Collection<String> ids, Consumer<RecordedTask> action) {
		requireQueue(queue);
		List<TaskActionResult> results = new ArrayList<>();
		for (String id : ids) {
			try {
				action.accept(find(queue, id));
				results.add(new TaskActionResult(id, null));
			}
			catch (AsynqException ex) {
				results.add(new TaskActionResult(id, ex));
			}
		}
		return results;
	}

	private List<RecordedTask> all(String queue, TaskState state, Set<TaskState> sources) {
		if (!sources.contains(state)) {
			throw new AsynqException("All tasks of a state can be moved so from "
					+ sources.stream().map(TaskState::wireName).sorted().toList() + ", not from " + state.wireName());
		}
		requireQueue(queue);
		return this.tasks.in(queue, state);
	}

	private static long all(List<RecordedTask> tasks, Consumer<RecordedTask> action) {
		tasks.forEach(action);
		return tasks.size();
	}

	private List<RecordedTask> group(String queue, String group) {
		return this.tasks.groups(queue).getOrDefault(group, List.of());
	}

	private List<TaskInfo> infos(List<RecordedTask> tasks, Page page) {
		Instant now = this.clock.instant();
		synchronized (this.tasks) {
			return tasks.stream().skip(page.offset()).limit(page.size()).map((task) -> task.info(now)).toList();
		}
	}

	private RecordedTask find(String queue, String id) {
		requireQueue(queue);
		RecordedTask task = this.tasks.find(queue, id);
		if (task == null) {
			throw new TaskNotFoundException(queue, id);
		}
		return task;
	}

	private void requireQueue(String queue) {
		if (!this.tasks.names().contains(queue)) {
			throw new QueueNotFoundException(queue);
		}
	}

	private static void requireOther(RecordedTask task, TaskState target, String verb) {
		if (task.state == TaskState.ACTIVE || task.state == target) {
			throw new TaskStateException(task.message.queue(), task.message.id(), task.state, "cannot be " + verb + ": "
					+ ((task.state == TaskState.ACTIVE) ? "a handler is working on it" : "it already is"));
		}
	}

	private static UnsupportedOperationException refused(String method) {
		return NoRedis.refusal("AsynqInspector." + method);
	}

}
