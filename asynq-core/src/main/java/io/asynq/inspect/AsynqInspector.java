package io.asynq.inspect;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.Broker;
import io.asynq.broker.ClusterNode;
import io.asynq.broker.DailyStats;
import io.asynq.broker.EnqueueEvent;
import io.asynq.broker.GroupInfo;
import io.asynq.broker.Inconsistency;
import io.asynq.broker.SchedulerEntry;
import io.asynq.broker.ServerInfo;

/**
 * Looks at queues, tasks, servers and schedulers, Go's included, and changes them by hand
 * (asynq O01–O21).
 * <p>
 * Reading writes nothing, and its cost does not grow with the number of tasks, except
 * where it says so. No change by hand counts as an attempt. Safe for concurrent use.
 * <p>
 * Every method throws {@link io.asynq.BrokerException} if Redis cannot be reached or
 * fails, {@link io.asynq.QueueNotFoundException} if it needs a queue that is not there,
 * and {@link io.asynq.AsynqException} if a name is blank.
 */
public interface AsynqInspector {

	/** How far {@link #history} goes back at most. */
	int MAX_HISTORY_DAYS = 366;

	/**
	 * Creates an inspector.
	 * @param broker the store; stays the caller's
	 * @param clock the time of what is read
	 * @return the inspector
	 */
	static AsynqInspector create(Broker broker, Clock clock) {
		return new DefaultAsynqInspector(broker, clock);
	}

	/**
	 * Lists the names of all queues (O01).
	 * @return the names, in no order
	 */
	Set<String> queues();

	/**
	 * Reads a queue (O03). The number of aggregating tasks is exact up to 1,000 groups;
	 * beyond, it is counted at most every 30 s ({@link QueueInfo#aggregatingAge()}).
	 * @param queue its name
	 * @return the queue at this moment
	 */
	QueueInfo queueInfo(String queue);

	/**
	 * Guesses how much of Redis's memory a queue takes (part of O03): 20 tasks of each
	 * state, and of each of five groups, stand for all.
	 * @param queue its name
	 * @return about so many bytes
	 */
	long memoryUsage(String queue);

	/**
	 * Reads how much was worked off on each of the last days (O04). Counters live for 90
	 * days; earlier days are zero.
	 * @param queue the queue's name
	 * @param days how many days, from 1 to {@link #MAX_HISTORY_DAYS}
	 * @return one entry per UTC day, today first
	 * @throws io.asynq.AsynqException if there are too few or too many days
	 */
	List<DailyStats> history(String queue, int days);

	/**
	 * Lists the groups of a queue (O02). Costs one step of Redis per 500 groups.
	 * @param queue the queue's name; one that does not exist has no groups
	 * @return groups with waiting tasks, by name
	 */
	List<GroupInfo> groups(String queue);

	/**
	 * Reads a task (O06).
	 * @param queue its queue
	 * @param id its id
	 * @return the task at this moment
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 */
	TaskInfo taskInfo(String queue, String id);

	/**
	 * Lists tasks of one state (O07). First come: of pending tasks the next to run, of
	 * active ones that which has been running longest, of scheduled and retry tasks the
	 * next due, of archived ones the oldest, of completed ones the next to expire. A
	 * message that cannot be decoded is left out, so a page may be short.
	 * @param queue the queue's name
	 * @param state any but {@link TaskState#AGGREGATING}
	 * @param page which part, empty beyond the last
	 * @return the tasks; active ones tell whether their lease has ended
	 * @throws io.asynq.AsynqException for aggregating tasks: they are listed by group
	 */
	List<TaskInfo> listTasks(String queue, TaskState state, Page page);

	/**
	 * Lists tasks that wait in a group (O07), those added first come first.
	 * @param queue the queue's name
	 * @param group the group; one that does not exist has no tasks
	 * @param page which part, empty beyond the last
	 * @return the tasks
	 */
	List<TaskInfo> listAggregatingTasks(String queue, String group, Page page);

	/**
	 * Makes a task pending, at the back of its queue (O09).
	 * @param queue its queue
	 * @param id its id
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is active or pending, or is being
	 * aggregated
	 */
	void runTask(String queue, String id);

	/**
	 * Moves a task to the archive (O11). The archive keeps 10,000 tasks for 90 days;
	 * older ones are deleted and their unique locks released.
	 * @param queue its queue
	 * @param id its id
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is active or archived, or is being
	 * aggregated
	 */
	void archiveTask(String queue, String id);

	/**
	 * Deletes a task and releases its unique lock (O13).
	 * @param queue its queue
	 * @param id its id
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is active or is being aggregated
	 */
	void deleteTask(String queue, String id);

	/**
	 * Replaces the payload of a scheduled task (O15). Everything else stays as it is,
	 * also the unique lock, whose name comes from the old payload.
	 * @param queue its queue
	 * @param id its id
	 * @param payload the new payload; a task without one is not told from one whose
	 * payload is empty
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is not scheduled
	 */
	void updateTaskPayload(String queue, String id, byte[] payload);

	/**
	 * Makes tasks pending, each by itself.
	 * @param queue their queue
	 * @param ids their ids
	 * @return one result per id, with the error that {@link #runTask} would throw; once
	 * Redis fails, the rest is not tried and has that error
	 */
	List<TaskActionResult> runTasks(String queue, Collection<String> ids);

	/**
	 * Moves tasks to the archive, each by itself.
	 * @param queue their queue
	 * @param ids their ids
	 * @return one result per id, with the error that {@link #archiveTask} would throw;
	 * once Redis fails, the rest is not tried and has that error
	 */
	List<TaskActionResult> archiveTasks(String queue, Collection<String> ids);

	/**
	 * Deletes tasks, each by itself.
	 * @param queue their queue
	 * @param ids their ids
	 * @return one result per id, with the error that {@link #deleteTask} would throw;
	 * once Redis fails, the rest is not tried and has that error
	 */
	List<TaskActionResult> deleteTasks(String queue, Collection<String> ids);

	/**
	 * Makes all tasks of one state pending (O10), in steps; about as many as there were
	 * at the beginning, so that it ends. One that comes back meanwhile may be moved, and
	 * counted, again.
	 * @param queue the queue's name
	 * @param state scheduled, retry or archived
	 * @return how many have moved
	 * @throws io.asynq.AsynqException for any other state
	 */
	long runAllTasks(String queue, TaskState state);

	/**
	 * Moves all tasks of one state to the archive (O12), in steps; about as many as there
	 * were at the beginning.
	 * @param queue the queue's name
	 * @param state pending, scheduled or retry
	 * @return how many have moved
	 * @throws io.asynq.AsynqException for any other state
	 */
	long archiveAllTasks(String queue, TaskState state);

	/**
	 * Deletes all tasks of one state and releases their unique locks (O14), in steps;
	 * about as many as there were at the beginning.
	 * @param queue the queue's name
	 * @param state pending, scheduled, retry, archived or completed
	 * @return how many are gone
	 * @throws io.asynq.AsynqException for any other state
	 */
	long deleteAllTasks(String queue, TaskState state);

	/**
	 * Makes all tasks of a group pending (O10), in steps.
	 * @param queue the queue's name
	 * @param group the group; one that does not exist has no tasks
	 * @return how many have moved
	 */
	long runAllAggregatingTasks(String queue, String group);

	/**
	 * Moves all tasks of a group to the archive (O12), in steps.
	 * @param queue the queue's name
	 * @param group the group; one that does not exist has no tasks
	 * @return how many have moved
	 */
	long archiveAllAggregatingTasks(String queue, String group);

	/**
	 * Deletes all tasks of a group and releases their unique locks (O14), in steps.
	 * @param queue the queue's name
	 * @param group the group; one that does not exist has no tasks
	 * @return how many are gone
	 */
	long deleteAllAggregatingTasks(String queue, String group);

	/**
	 * Keeps all servers from taking tasks of a queue (O17). What is active goes on;
	 * enqueueing, forwarding and aggregating go on as well.
	 * @param queue its name, also one that does not exist: a queue may be paused before
	 * its first task comes, and a misspelt name is not noticed
	 * @throws io.asynq.QueueStateException if it is paused already
	 */
	void pauseQueue(String queue);

	/**
	 * Lets servers take tasks of a queue again (O17).
	 * @param queue its name
	 * @throws io.asynq.QueueStateException if it is not paused
	 */
	void resumeQueue(String queue);

	/**
	 * Deletes a queue with everything that belongs to it: tasks, groups, unique locks,
	 * counters, the pause (O05). Walks through all keys of the database, in small steps.
	 * What is enqueued meanwhile stays, and makes the queue anew. A deletion that was
	 * interrupted is finished by calling it again, by the queue's servers, or by the next
	 * deletion of any queue.
	 * @param queue its name
	 * @param force whether to delete its tasks; without, only an empty queue is deleted
	 * @throws io.asynq.QueueNotEmptyException if it has tasks, in any state; with force
	 * if it has active ones
	 */
	void deleteQueue(String queue, boolean force);

	/**
	 * Asks every server to cancel an active task (O16). Returning only means that it was
	 * sent; a task that hears it fails and is retried.
	 * @param id the task's id, whatever its queue; nothing happens if no such task is
	 * active
	 */
	void cancelTask(String id);

	/**
	 * Lists servers that live, with what they work on (O18), but without payloads above
	 * 64 KiB.
	 * @return the servers, in no order
	 */
	List<ServerInfo> servers();

	/**
	 * Lists the periodic tasks of schedulers that live (O19).
	 * @return the entries
	 */
	List<SchedulerEntry> schedulerEntries();

	/**
	 * Lists what a periodic task has enqueued (O20), newest first; up to 1,000 are kept.
	 * @param entryId the id of its entry; one that does not exist has enqueued nothing
	 * @param page which part, empty beyond the last
	 * @return the events
	 */
	List<EnqueueEvent> schedulerEnqueueEvents(String entryId, Page page);

	/**
	 * Returns in which hash slot of a cluster a queue lies (O21).
	 * @param queue its name, also one that does not exist
	 * @return 0 to 16383
	 * @throws io.asynq.AsynqException if Redis is no cluster
	 */
	int clusterKeySlot(String queue);

	/**
	 * Returns the nodes of a cluster that have a queue (O21).
	 * @param queue its name, also one that does not exist
	 * @return the master and its replicas
	 * @throws io.asynq.AsynqException if Redis is no cluster
	 */
	List<ClusterNode> clusterNodes(String queue);

	/**
	 * Looks for what makes no sense in a queue; changes nothing. Walks through all tasks
	 * of the queue and all keys of the database, in small steps, so it may take a while.
	 * @param queue its name, also one that is not listed
	 * @return the first page, of up to 1,000
	 * @throws io.asynq.AsynqException if the name is blank
	 */
	default Diagnosis diagnose(String queue) {
		return diagnose(queue, 1);
	}

	/**
	 * Looks for what makes no sense in a queue, for a further page.
	 * @param queue its name, also one that is not listed
	 * @param page at least 1
	 * @return the page, empty beyond the last
	 * @throws io.asynq.AsynqException if the name is blank or the page below 1
	 */
	Diagnosis diagnose(String queue, int page);

	/**
	 * Mends what makes no sense in a queue, each kind as {@link Inconsistency.Kind} says.
	 * No task is deleted and none counted. Servers may go on working meanwhile.
	 * @param queue its name, also one that is not listed
	 * @param kinds what to mend
	 * @param dryRun whether only to say what would be mended
	 * @return what was done
	 * @throws io.asynq.AsynqException if the name is blank or no kind is given
	 */
	RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun);

}
