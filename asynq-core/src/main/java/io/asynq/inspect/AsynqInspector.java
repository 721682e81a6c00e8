package io.asynq.inspect;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.asynq.Broker;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.inspect.DefaultAsynqInspector;
import org.jspecify.annotations.Nullable;

/**
 * Reads queues, tasks, servers and schedulers, those of Go included, and changes them by
 * hand, as Go's {@code Inspector} (docs/compatibility.md, O01–O21). Safe for concurrent
 * use.
 * <p>
 * Reading changes nothing, and its cost does not grow with the number of tasks unless the
 * method says so. No change by hand counts as an attempt.
 * <p>
 * Every method throws {@link io.asynq.BrokerException} if Redis cannot be reached or
 * fails, {@link io.asynq.QueueNotFoundException} if it needs a queue that does not exist,
 * and {@link io.asynq.AsynqException} if a name is blank or an argument out of range.
 */
public interface AsynqInspector extends TaskCancellation {

	/** Largest number of days that {@link #history} returns. */
	int MAX_HISTORY_DAYS = 366;

	/**
	 * Creates an inspector.
	 * @param broker the store; the caller closes it
	 * @param clock tells when queues are read
	 */
	static AsynqInspector create(Broker broker, Clock clock) {
		RedisBroker redis = RedisBroker.of(broker);
		return new DefaultAsynqInspector(redis.queues(), redis.fleet(), redis.limitReader(), redis.tasks(),
				redis.queueKeeper(), redis.cancellations(), clock);
	}

	/** Lists the names of all queues, in no order. */
	Set<String> queues();

	/**
	 * Reads a queue. The number of aggregating tasks is exact up to 1,000 groups; beyond,
	 * it is counted at most every 30 s ({@link QueueInfo#aggregatingAge()}).
	 */
	QueueInfo queueInfo(String queue);

	/**
	 * Estimates the memory that a queue takes in Redis, in bytes, from a sample of 20
	 * tasks of each state and of each of five groups.
	 */
	long memoryUsage(String queue);

	/**
	 * Reads the attempts on each of the last days. Counters are kept for 90 days; earlier
	 * days are zero.
	 * @param days how many days, from 1 to {@link #MAX_HISTORY_DAYS}
	 * @return one entry per UTC day, today first
	 */
	List<DailyStats> history(String queue, int days);

	/**
	 * Lists the limits that servers have announced, at most 1,000, by name. Needs a
	 * command for each queue in which tasks have ever waited, and one more per 1,000
	 * different keys.
	 */
	List<LimitInfo> limits();

	/**
	 * Lists keys of a limit, those with most waiting tasks first. Costs as much as
	 * {@link #limits()}.
	 * @param limit its name; one that does not exist has no keys
	 * @param size how many at most, at least 1
	 */
	List<LimitInfo.Key> limitKeys(String limit, int size);

	/**
	 * Lists the groups of a queue that have waiting tasks, by name. Needs one command per
	 * 500 groups; a queue that does not exist has none.
	 */
	List<GroupInfo> groups(String queue);

	/**
	 * Lists some groups of a queue that have waiting tasks, in no order and with one
	 * command. A group may be listed twice while groups come and go.
	 * @param queue its name; one that does not exist has no groups
	 * @param cursor the {@code next} of an earlier answer, {@code null} to begin
	 * @param size about how many, at least 1
	 */
	Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size);

	/** Reads a group; one that does not exist has no tasks. */
	GroupInfo groupInfo(String queue, String group);

	/**
	 * Reads a task.
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 */
	TaskInfo taskInfo(String queue, String id);

	/**
	 * Lists tasks of one state, in this order: pending tasks as they will run, active
	 * tasks by the start of the attempt, scheduled and retry tasks by the time at which
	 * they are due, archived tasks from the oldest, completed tasks by their expiry.
	 * Messages that cannot be decoded are left out, so a page can be short.
	 * @param state any but {@link TaskState#AGGREGATING} and {@link TaskState#DEFERRED}
	 * @return the tasks, none beyond the last page; of active ones,
	 * {@link TaskInfo#orphaned()} tells whether the lease has ended
	 */
	List<TaskInfo> listTasks(String queue, TaskState state, Page page);

	/**
	 * Lists tasks that wait in a group, in the order in which they were added.
	 * @param group the group; one that does not exist has no tasks
	 * @return the tasks, none beyond the last page
	 */
	List<TaskInfo> listAggregatingTasks(String queue, String group, Page page);

	/**
	 * Makes a task pending, at the back of its queue.
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is active or pending, or is being
	 * aggregated
	 */
	default void runTask(String queue, String id) {
		runTask(queue, id, RunOptions.defaults());
	}

	/**
	 * Makes a task pending, as {@link #runTask(String, String)} does.
	 * @param options whether it gets all its retries again; conditions are ignored
	 */
	void runTask(String queue, String id, RunOptions options);

	/**
	 * Moves a task to the archive. The archive keeps 10,000 tasks for 90 days; older ones
	 * are deleted and their unique locks released.
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is active or archived, or is being
	 * aggregated
	 */
	void archiveTask(String queue, String id);

	/**
	 * Deletes a task and releases its unique lock.
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is active or is being aggregated
	 */
	void deleteTask(String queue, String id);

	/**
	 * Replaces the payload of a scheduled task. Nothing else changes, not even the unique
	 * lock, whose name is derived from the old payload.
	 * @param payload the new payload; an empty one is the same as none
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is not scheduled
	 */
	void updateTaskPayload(String queue, String id, byte[] payload);

	/**
	 * Makes tasks pending, each independently.
	 * @return one result per id, with the error that {@link #runTask} would throw; once
	 * Redis fails, the remaining ids are not tried and have that error
	 */
	default List<TaskActionResult> runTasks(String queue, Collection<String> ids) {
		return runTasks(queue, ids, RunOptions.defaults());
	}

	/**
	 * Makes tasks pending, as {@link #runTasks(String, Collection)} does.
	 * @param options whether they get all their retries again; conditions are ignored
	 */
	List<TaskActionResult> runTasks(String queue, Collection<String> ids, RunOptions options);

	/**
	 * Moves tasks to the archive, each independently.
	 * @return one result per id, with the error that {@link #archiveTask} would throw;
	 * once Redis fails, the remaining ids are not tried and have that error
	 */
	List<TaskActionResult> archiveTasks(String queue, Collection<String> ids);

	/**
	 * Deletes tasks, each independently.
	 * @return one result per id, with the error that {@link #deleteTask} would throw;
	 * once Redis fails, the remaining ids are not tried and have that error
	 */
	List<TaskActionResult> deleteTasks(String queue, Collection<String> ids);

	/**
	 * Makes all tasks of one state pending, in steps. It moves about as many as there
	 * were at the beginning, so that it ends; a task that returns to the state meanwhile
	 * may be moved and counted again.
	 * @param state scheduled, retry or archived
	 * @return the number of tasks that were moved
	 */
	default long runAllTasks(String queue, TaskState state) {
		return runAllTasks(queue, state, RunOptions.defaults());
	}

	/**
	 * Makes tasks of one state pending, as {@link #runAllTasks(String, TaskState)} does.
	 * With conditions it reads all tasks of the state; those that are moved by others
	 * meanwhile may be left out.
	 * @param options which tasks, and whether they get all their retries again
	 * @return the number of tasks that were moved
	 */
	long runAllTasks(String queue, TaskState state, RunOptions options);

	/**
	 * Moves all tasks of one state to the archive, in steps, about as many as there were
	 * at the beginning.
	 * @param state pending, scheduled or retry
	 * @return the number of tasks that were moved
	 */
	long archiveAllTasks(String queue, TaskState state);

	/**
	 * Deletes all tasks of one state and releases their unique locks, in steps, about as
	 * many as there were at the beginning.
	 * @param state pending, scheduled, retry, archived or completed
	 * @return the number of tasks that were deleted
	 */
	long deleteAllTasks(String queue, TaskState state);

	/**
	 * Makes all tasks of a group pending, in steps.
	 * @return the number of tasks that were moved, 0 if the group does not exist
	 */
	long runAllAggregatingTasks(String queue, String group);

	/**
	 * Moves all tasks of a group to the archive, in steps.
	 * @return the number of tasks that were moved, 0 if the group does not exist
	 */
	long archiveAllAggregatingTasks(String queue, String group);

	/**
	 * Deletes all tasks of a group and releases their unique locks, in steps.
	 * @return the number of tasks that were deleted, 0 if the group does not exist
	 */
	long deleteAllAggregatingTasks(String queue, String group);

	/**
	 * Pauses a queue: no server takes tasks from it. Active tasks go on, and so do
	 * enqueueing, forwarding and aggregating.
	 * @param queue its name; it need not exist, so a misspelt name is not noticed
	 * @throws io.asynq.QueueStateException if it is already paused
	 */
	void pauseQueue(String queue);

	/**
	 * Resumes a queue: servers take tasks from it again.
	 * @throws io.asynq.QueueStateException if it is not paused
	 */
	void resumeQueue(String queue);

	/**
	 * Deletes a queue with its tasks, groups, unique locks, counters and pause. It scans
	 * all keys of the database, in small steps. Tasks that are enqueued meanwhile are
	 * kept and create the queue again. An interrupted deletion is finished by another
	 * call, by the queue's servers, or by the next deletion of any queue.
	 * @param force whether to delete its tasks too; if not, only an empty queue is
	 * deleted
	 * @throws io.asynq.QueueNotEmptyException if it has tasks in any state, or with force
	 * if it has active tasks
	 */
	void deleteQueue(String queue, boolean force);

	/**
	 * Lists live servers, in no order, and the tasks that they are processing, without
	 * payloads above 64 KiB.
	 */
	List<ServerInfo> servers();

	/** Lists the periodic tasks of live schedulers. */
	List<SchedulerEntry> schedulerEntries();

	/**
	 * Lists the tasks that a periodic task has enqueued, newest first; up to 1,000 are
	 * kept.
	 * @param entryId the id of its entry; one that does not exist has enqueued nothing
	 */
	List<EnqueueEvent> schedulerEnqueueEvents(String entryId, Page page);

	/**
	 * Returns the hash slot of a queue in a cluster, 0 to 16383; it need not exist.
	 * @throws io.asynq.AsynqException if Redis is not a cluster
	 */
	int clusterKeySlot(String queue);

	/**
	 * Returns the nodes of a cluster that hold a queue, which need not exist: the master
	 * and its replicas.
	 * @throws io.asynq.AsynqException if Redis is not a cluster
	 */
	List<ClusterNode> clusterNodes(String queue);

}
