package io.asynq.internal.inspect;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.CancelMode;
import io.asynq.QueueNotEmptyException;
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
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.RunOptions;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.TaskActionResult;
import io.asynq.internal.cancel.CancelChannel;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.limit.LimitReader;
import org.jspecify.annotations.Nullable;

public final class DefaultAsynqInspector implements AsynqInspector {

	private final QueueReader queues;

	private final TaskKeeper tasks;

	private final QueueKeeper queueKeeper;

	private final FleetReader fleet;

	private final LimitReader limits;

	private final Clock clock;

	private final TaskActions actions;

	private final CancelChannel channel;

	private final Lanes lanes;

	private final LaneThreads threads;

	public DefaultAsynqInspector(QueueReader queues, FleetReader fleet, LimitReader limits, TaskKeeper tasks,
			QueueKeeper queueKeeper, CancelChannel channel, Clock clock) {
		this.queues = queues;
		this.limits = limits;
		this.tasks = tasks;
		this.queueKeeper = queueKeeper;
		this.fleet = fleet;
		this.clock = clock;
		this.actions = new TaskActions(queues, tasks);
		this.channel = channel;
		this.lanes = new Lanes(List.of(), () -> fleet.areSpread(), (names) -> Map.of(), new LoopErrorLog());
		this.threads = this.lanes.threads("asynq-inspector");
	}

	@Override
	public Set<String> queues() {
		return this.queues.queues();
	}

	@Override
	public QueueInfo queueInfo(String queue) {
		Arguments.requireText("queue", queue);
		QueueStats stats = this.queues.stats(queue).orElseThrow(() -> new QueueNotFoundException(queue));
		return new QueueInfo(queue, stats, this.clock.instant());
	}

	@Override
	public long memoryUsage(String queue) {
		requireQueue(queue);
		return this.queues.memoryUsage(queue);
	}

	@Override
	public List<DailyStats> history(String queue, int days) {
		Arguments.requireText("queue", queue);
		if (days < 1 || days > MAX_HISTORY_DAYS) {
			throw new AsynqException("Argument 'days' must be from 1 to " + MAX_HISTORY_DAYS + ", but is " + days);
		}
		requireQueue(queue);
		return this.queues.history(queue, LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC), days);
	}

	@Override
	public List<LimitInfo> limits() {
		return this.limits.limits();
	}

	@Override
	public List<LimitInfo.Key> limitKeys(String limit, int size) {
		Arguments.requireText("limit", limit);
		if (size < 1) {
			throw new AsynqException("Argument 'size' must be at least 1, but is " + size);
		}
		return this.limits.keys(limit, size);
	}

	@Override
	public List<GroupInfo> groups(String queue) {
		Arguments.requireText("queue", queue);
		return this.queues.groups(queue);
	}

	@Override
	public Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size) {
		Arguments.requireText("queue", queue);
		Arguments.requireCursor(cursor);
		if (size < 1) {
			throw new AsynqException("Argument 'size' must be at least 1, but is " + size);
		}
		return this.queues.groups(queue, cursor, size);
	}

	@Override
	public GroupInfo groupInfo(String queue, String group) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("group", group);
		return new GroupInfo(group, this.queues.groupSize(queue, group));
	}

	@Override
	public TaskInfo taskInfo(String queue, String id) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("id", id);
		return this.tasks.find(queue, id).orElseThrow(() -> notFound(queue, id));
	}

	@Override
	public List<TaskInfo> listTasks(String queue, TaskState state, Page page) {
		Arguments.requireValue("state", state);
		Arguments.requireValue("page", page);
		if (state == TaskState.AGGREGATING) {
			throw new AsynqException("Aggregating tasks are listed by group, with listAggregatingTasks");
		}
		if (state == TaskState.DEFERRED) {
			throw new AsynqException(
					"Deferred tasks are not in Redis: they wait in the application that enqueues them");
		}
		requireQueue(queue);
		return this.tasks.list(queue, state, page.offset(), page.size());
	}

	@Override
	public List<TaskInfo> listAggregatingTasks(String queue, String group, Page page) {
		Arguments.requireText("group", group);
		Arguments.requireValue("page", page);
		requireQueue(queue);
		return this.tasks.listGroup(queue, group, page.offset(), page.size());
	}

	@Override
	public void runTask(String queue, String id, RunOptions options) {
		Arguments.requireValue("options", options);
		this.actions.one(queue, TaskActions.move(options), id);
	}

	@Override
	public void archiveTask(String queue, String id) {
		this.actions.one(queue, TaskMove.ARCHIVE, id);
	}

	@Override
	public void deleteTask(String queue, String id) {
		this.actions.one(queue, TaskMove.DELETE, id);
	}

	@Override
	public void updateTaskPayload(String queue, String id, byte[] payload) {
		this.actions.updatePayload(queue, id, payload);
	}

	@Override
	public List<TaskActionResult> runTasks(String queue, Collection<String> ids, RunOptions options) {
		Arguments.requireValue("options", options);
		return this.actions.each(queue, TaskActions.move(options), ids);
	}

	@Override
	public List<TaskActionResult> archiveTasks(String queue, Collection<String> ids) {
		return this.actions.each(queue, TaskMove.ARCHIVE, ids);
	}

	@Override
	public List<TaskActionResult> deleteTasks(String queue, Collection<String> ids) {
		return this.actions.each(queue, TaskMove.DELETE, ids);
	}

	@Override
	public long runAllTasks(String queue, TaskState state, RunOptions options) {
		Arguments.requireValue("options", options);
		return this.actions.run(queue, state, options, this.clock.instant());
	}

	@Override
	public long archiveAllTasks(String queue, TaskState state) {
		return this.actions.all(queue, TaskMove.ARCHIVE, state);
	}

	@Override
	public long deleteAllTasks(String queue, TaskState state) {
		return this.actions.all(queue, TaskMove.DELETE, state);
	}

	@Override
	public long runAllAggregatingTasks(String queue, String group) {
		return this.actions.group(queue, TaskMove.RUN, group);
	}

	@Override
	public long archiveAllAggregatingTasks(String queue, String group) {
		return this.actions.group(queue, TaskMove.ARCHIVE, group);
	}

	@Override
	public long deleteAllAggregatingTasks(String queue, String group) {
		return this.actions.group(queue, TaskMove.DELETE, group);
	}

	@Override
	public void pauseQueue(String queue) {
		Arguments.requireText("queue", queue);
		if (!this.queueKeeper.pause(queue)) {
			throw new QueueStateException("Queue '" + queue + "' is already paused");
		}
	}

	@Override
	public void resumeQueue(String queue) {
		Arguments.requireText("queue", queue);
		if (!this.queueKeeper.resume(queue)) {
			throw new QueueStateException("Queue '" + queue + "' is not paused");
		}
	}

	@Override
	public void deleteQueue(String queue, boolean force) {
		requireQueue(queue);
		Map<String, Long> inTheWay = this.queueKeeper.delete(queue, force);
		if (!inTheWay.isEmpty()) {
			throw new QueueNotEmptyException(queue, inTheWay,
					force ? "active tasks are never deleted; stop its servers or wait until the tasks are done"
							: "delete the queue with force, or its tasks first");
		}
	}

	@Override
	public void cancelTask(String id) {
		Arguments.requireText("id", id);
		this.channel.cancel(id);
	}

	@Override
	public CancelResult cancelTask(String queue, String id, CancelMode mode) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("id", id);
		Arguments.requireValue("mode", mode);
		CancelResult result = cancel(queue, id, mode, false);
		if (result != CancelResult.SIGNAL_SENT || mode == CancelMode.RETRY) {
			return result;
		}
		if (isServedByJava(queue)) {
			// Go has it, but ours will settle it; it may wait by now
			result = cancel(queue, id, mode, true);
		}
		if (result == CancelResult.SIGNAL_SENT || result == CancelResult.RECORDED) {
			this.channel.cancel(queue, id);
		}
		return result;
	}

	@Override
	public List<ServerInfo> servers() {
		return this.fleet.servers();
	}

	@Override
	public List<SchedulerEntry> schedulerEntries() {
		return this.fleet.schedulerEntries();
	}

	@Override
	public List<EnqueueEvent> schedulerEnqueueEvents(String entryId, Page page) {
		Arguments.requireText("entryId", entryId);
		Arguments.requireValue("page", page);
		return this.fleet.enqueueEvents(entryId, page.offset(), page.size());
	}

	@Override
	public int clusterKeySlot(String queue) {
		Arguments.requireText("queue", queue);
		return this.fleet.keySlot(queue);
	}

	@Override
	public List<ClusterNode> clusterNodes(String queue) {
		Arguments.requireText("queue", queue);
		return this.fleet.nodes(queue);
	}

	/** The list of servers may lie on a master that hangs, unlike the task. */
	private boolean isServedByJava(String queue) {
		return Boolean.TRUE.equals(this.lanes.ask(this.threads, "servers", () -> this.fleet.hasJavaServer(queue)));
	}

	private CancelResult cancel(String queue, String id, CancelMode mode, boolean lasting) {
		TaskMove.Result result = this.tasks.cancel(queue, id, mode, lasting);
		TaskState state = result.state();
		if (result.status() == Status.NOT_FOUND && !this.queues.exists(queue)) {
			throw new QueueNotFoundException(queue);
		}
		if (result.status() == Status.WRONG_STATE && state != null) {
			throw new TaskStateException(queue, id, state,
					"cannot be cancelled: " + ((state == TaskState.ARCHIVED || state == TaskState.COMPLETED)
							? "it has ended"
							: "no server is working on it; another CancelMode archives or deletes tasks that wait"));
		}
		TaskActions.throwIfPresent(TaskActions.error(queue, id, "cancelled", result));
		if (state == null || state == TaskState.ACTIVE) {
			return (result.status() == Status.RECORDED) ? CancelResult.RECORDED : CancelResult.SIGNAL_SENT;
		}
		return (mode == CancelMode.ARCHIVE) ? CancelResult.ARCHIVED : CancelResult.DELETED;
	}

	private void requireQueue(String queue) {
		Arguments.requireText("queue", queue);
		if (!this.queues.exists(queue)) {
			throw new QueueNotFoundException(queue);
		}
	}

	private AsynqException notFound(String queue, String id) {
		return this.queues.exists(queue) ? new TaskNotFoundException(queue, id) : new QueueNotFoundException(queue);
	}

}
