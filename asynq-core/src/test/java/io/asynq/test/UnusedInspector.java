package io.asynq.test;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.asynq.CancelMode;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
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
import io.asynq.inspect.RunOptions;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.TaskActionResult;
import org.jspecify.annotations.Nullable;

/**
 * An inspector whose methods all throw unless a test overrides them.
 */
public abstract class UnusedInspector implements AsynqInspector {

	@Override
	public Set<String> queues() {
		throw new UnsupportedOperationException();
	}

	@Override
	public QueueInfo queueInfo(String queue) {
		throw new UnsupportedOperationException();
	}

	@Override
	public TaskInfo taskInfo(String queue, String id) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long memoryUsage(String queue) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<DailyStats> history(String queue, int days) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<LimitInfo> limits() {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<LimitInfo.Key> limitKeys(String limit, int size) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<GroupInfo> groups(String queue) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size) {
		throw new UnsupportedOperationException();
	}

	@Override
	public GroupInfo groupInfo(String queue, String group) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<TaskInfo> listTasks(String queue, TaskState state, Page page) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<TaskInfo> listAggregatingTasks(String queue, String group, Page page) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void runTask(String queue, String id) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void runTask(String queue, String id, RunOptions options) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long runAllTasks(String queue, TaskState state, RunOptions options) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void archiveTask(String queue, String id) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void deleteTask(String queue, String id) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void updateTaskPayload(String queue, String id, byte[] payload) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<TaskActionResult> runTasks(String queue, Collection<String> ids) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<TaskActionResult> runTasks(String queue, Collection<String> ids, RunOptions options) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<TaskActionResult> archiveTasks(String queue, Collection<String> ids) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<TaskActionResult> deleteTasks(String queue, Collection<String> ids) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long runAllTasks(String queue, TaskState state) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long archiveAllTasks(String queue, TaskState state) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long deleteAllTasks(String queue, TaskState state) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long runAllAggregatingTasks(String queue, String group) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long archiveAllAggregatingTasks(String queue, String group) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long deleteAllAggregatingTasks(String queue, String group) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void pauseQueue(String queue) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void resumeQueue(String queue) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void deleteQueue(String queue, boolean force) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void cancelTask(String id) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CancelResult cancelTask(String queue, String id, CancelMode mode) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<ServerInfo> servers() {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<SchedulerEntry> schedulerEntries() {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<EnqueueEvent> schedulerEnqueueEvents(String entryId, Page page) {
		throw new UnsupportedOperationException();
	}

	@Override
	public int clusterKeySlot(String queue) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<ClusterNode> clusterNodes(String queue) {
		throw new UnsupportedOperationException();
	}

}
