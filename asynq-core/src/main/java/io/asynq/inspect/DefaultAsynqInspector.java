package io.asynq.inspect;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.broker.Broker;
import io.asynq.broker.ClusterNode;
import io.asynq.broker.DailyStats;
import io.asynq.broker.EnqueueEvent;
import io.asynq.broker.GroupInfo;
import io.asynq.broker.Inconsistency;
import io.asynq.broker.QueueReader;
import io.asynq.broker.QueueStats;
import io.asynq.broker.SchedulerEntry;
import io.asynq.broker.ServerInfo;
import io.asynq.broker.TaskMove;

/**
 * The inspector over roles of the broker.
 */
final class DefaultAsynqInspector implements AsynqInspector {

	private final Broker broker;

	private final QueueReader queues;

	private final TaskActions actions;

	private final QueueRepair repair;

	private final Clock clock;

	DefaultAsynqInspector(Broker broker, Clock clock) {
		this.broker = broker;
		this.queues = broker.queues();
		this.actions = new TaskActions(broker.queues(), broker.mover());
		this.repair = new QueueRepair(broker.consistency());
		this.clock = clock;
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
	public List<GroupInfo> groups(String queue) {
		Arguments.requireText("queue", queue);
		return this.queues.groups(queue);
	}

	@Override
	public TaskInfo taskInfo(String queue, String id) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("id", id);
		return this.broker.tasks().find(queue, id).orElseThrow(() -> notFound(queue, id));
	}

	@Override
	public List<TaskInfo> listTasks(String queue, TaskState state, Page page) {
		Arguments.requireValue("state", state);
		Arguments.requireValue("page", page);
		if (state == TaskState.AGGREGATING) {
			throw new AsynqException("Aggregating tasks are listed by group, with listAggregatingTasks");
		}
		requireQueue(queue);
		return this.broker.taskLists().list(queue, state, page.offset(), page.size());
	}

	@Override
	public List<TaskInfo> listAggregatingTasks(String queue, String group, Page page) {
		Arguments.requireText("group", group);
		Arguments.requireValue("page", page);
		requireQueue(queue);
		return this.broker.taskLists().listGroup(queue, group, page.offset(), page.size());
	}

	@Override
	public void runTask(String queue, String id) {
		this.actions.one(queue, TaskMove.RUN, id);
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
	public List<TaskActionResult> runTasks(String queue, Collection<String> ids) {
		return this.actions.each(queue, TaskMove.RUN, ids);
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
	public long runAllTasks(String queue, TaskState state) {
		return this.actions.all(queue, TaskMove.RUN, state);
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
		if (!this.broker.queueKeeper().pause(queue)) {
			throw new QueueStateException("Queue '" + queue + "' is paused already");
		}
	}

	@Override
	public void resumeQueue(String queue) {
		Arguments.requireText("queue", queue);
		if (!this.broker.queueKeeper().resume(queue)) {
			throw new QueueStateException("Queue '" + queue + "' is not paused");
		}
	}

	@Override
	public void deleteQueue(String queue, boolean force) {
		requireQueue(queue);
		Map<String, Long> inTheWay = this.broker.queueKeeper().delete(queue, force);
		if (!inTheWay.isEmpty()) {
			throw new QueueNotEmptyException(queue, inTheWay,
					force ? "active tasks are never deleted; stop its servers or wait until they are done"
							: "delete the queue with force, or its tasks first");
		}
	}

	@Override
	public void cancelTask(String id) {
		Arguments.requireText("id", id);
		this.broker.cancellations().publish(id);
	}

	@Override
	public List<ServerInfo> servers() {
		return this.broker.fleet().servers();
	}

	@Override
	public List<SchedulerEntry> schedulerEntries() {
		return this.broker.fleet().schedulerEntries();
	}

	@Override
	public List<EnqueueEvent> schedulerEnqueueEvents(String entryId, Page page) {
		Arguments.requireText("entryId", entryId);
		Arguments.requireValue("page", page);
		return this.broker.fleet().enqueueEvents(entryId, page.offset(), page.size());
	}

	@Override
	public int clusterKeySlot(String queue) {
		Arguments.requireText("queue", queue);
		return this.broker.cluster().keySlot(queue);
	}

	@Override
	public List<ClusterNode> clusterNodes(String queue) {
		Arguments.requireText("queue", queue);
		return this.broker.cluster().nodes(queue);
	}

	@Override
	public Diagnosis diagnose(String queue, int page) {
		Arguments.requireText("queue", queue);
		return this.repair.diagnose(queue, page);
	}

	@Override
	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun) {
		Arguments.requireText("queue", queue);
		return this.repair.repair(queue, kinds, dryRun);
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
